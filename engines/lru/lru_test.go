package lru

import (
	"fmt"
	"slices"
	"testing"
)

func keys(c *Cache[string, int]) []string {
	var out []string
	for k := range c.All() {
		out = append(out, k)
	}
	return out
}

// The value that was not used for longest is forgotten first.
func TestForgetsTheLongestUnused(t *testing.T) {
	c := New[string, int](3)
	for i, k := range []string{"a", "b", "c"} {
		c.Put(k, i)
	}
	if v, ok := c.Get("a"); !ok || v != 0 {
		t.Fatalf("a is %d, %v", v, ok)
	}
	c.Put("d", 3)
	if _, ok := c.Get("b"); ok {
		t.Error("b is still there, which was not used for longest")
	}
	if got := keys(c); !slices.Equal(got, []string{"d", "a", "c"}) || c.Len() != 3 {
		t.Errorf("%v, %d of them", got, c.Len())
	}
}

// A key has one value, the last one put.
func TestPutReplaces(t *testing.T) {
	c := New[string, int](2)
	c.Put("a", 1)
	c.Put("b", 2)
	c.Put("a", 3)
	if v, _ := c.Get("a"); v != 3 || c.Len() != 2 {
		t.Errorf("a is %d, %d values", v, c.Len())
	}
	c.Put("c", 4)
	if got := keys(c); !slices.Equal(got, []string{"c", "a"}) {
		t.Errorf("%v", got)
	}
}

// What is handed out may be deleted on the way.
func TestDeleteWhileListing(t *testing.T) {
	c := New[string, int](9)
	for i := range 6 {
		c.Put(fmt.Sprint(i), i)
	}
	for k, v := range c.All() {
		if v%2 == 0 {
			c.Delete(k)
		}
	}
	if got := keys(c); !slices.Equal(got, []string{"5", "3", "1"}) {
		t.Errorf("%v", got)
	}
	c.Delete("none")
	if c.Len() != 3 {
		t.Errorf("%d values", c.Len())
	}
}

// Without a bound nothing is forgotten.
func TestNoBound(t *testing.T) {
	c := New[string, int](0)
	for i := range 1000 {
		c.Put(fmt.Sprint(i), i)
	}
	if c.Len() != 1000 {
		t.Errorf("%d values of 1000", c.Len())
	}
}

func ExampleCache() {
	c := New[string, int](2)
	c.Put("a", 1)
	c.Put("b", 2)
	c.Get("a")
	c.Put("c", 3)
	for key, value := range c.All() {
		fmt.Println(key, value)
	}
	// Output:
	// c 3
	// a 1
}

#!/bin/sh
# A program in JSON Lines that plays whole games: n=7, k=15 is best, and the seed decides.
read -r line
echo '{"id":"1","protocol":1,"name":"bot","role":"match","deterministic":true,"params":[{"name":"n","kind":"int","low":0,"high":9,"default":2},{"name":"k","kind":"int","low":0,"high":20,"default":5}]}'
skill() { # of the parameters between two braces
	n=${1#*'"n":'} k=${1#*'"k":'}
	n=${n%%,*} k=${k%%,*}
	skill=$((-3 * (n - 7) * (n - 7) - (k - 15) * (k - 15) / 2))
}
while read -r line; do
	case $line in *'"quit"'*) exit ;; esac
	id=${line#*'"id":"'} seed=${line#*'"seed":"'} first=${line#*'"params":{'}
	second=${first#*'"params":{'}
	id=${id%%'"'*} seed=${seed%%'"'*}
	skill "${first%%'}'*}" && a=$skill
	skill "${second%%'}'*}" && b=$skill
	last=${seed#"${seed%???}"}
	while [ "${last#0}" != "$last" ] && [ ${#last} -gt 1 ]; do last=${last#0}; done
	if [ "$last" -lt $((500 + 4 * (a - b))) ]; then ranks='1,2'; else ranks='2,1'; fi
	echo "{\"id\":\"$id\",\"ranks\":[$ranks]}"
done

module smallengine

go 1.26

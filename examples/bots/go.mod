module bots

go 1.26.0

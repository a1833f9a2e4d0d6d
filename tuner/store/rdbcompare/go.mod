module sakusen/tuner/store/rdbcompare

go 1.26.0

replace sakusen => ../../..

require (
	github.com/c-bata/goptuna v0.9.0
	gorm.io/driver/sqlite v1.5.3
	gorm.io/gorm v1.25.4
	sakusen v0.0.0
)

require (
	github.com/google/uuid v1.6.0 // indirect
	github.com/jinzhu/inflection v1.0.0 // indirect
	github.com/jinzhu/now v1.1.5 // indirect
	github.com/mattn/go-sqlite3 v1.14.52 // indirect
	go.yaml.in/yaml/v3 v3.0.5 // indirect
	golang.org/x/sys v0.49.0 // indirect
	gonum.org/v1/gonum v0.17.0 // indirect
)

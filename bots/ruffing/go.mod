module ruffing

go 1.18

graph [
  node [
    id 0
    label "c0"
    age 56
    income 61733.93
    plan "gold"
    group "leaves"
  ]
  node [
    id 1
    label "c1"
    age 39
    income 44966.76
    plan "gold"
    group "stays"
  ]
  node [
    id 2
    label "c2"
    age 50
    income 57131.03
    plan "plus"
    group "stays"
  ]
  node [
    id 3
    label "c3"
    age 26
    income 43594.64
    plan "gold"
    group "stays"
  ]
  node [
    id 4
    label "c4"
    age 42
    income 39574.14
    plan "gold"
    group "stays"
  ]
  node [
    id 5
    label "c5"
    age 53
    income 59781.83
    plan "gold"
    group "leaves"
  ]
  node [
    id 6
    label "c6"
    age 45
    income 53044.43
    plan "gold"
    group "leaves"
  ]
  node [
    id 7
    label "c7"
    age 50
    income 58458.35
    plan "gold"
    group "leaves"
  ]
  node [
    id 8
    label "c8"
    age 42
    income 41932.75
    plan "gold"
    group "stays"
  ]
  node [
    id 9
    label "c9"
    age 41
    income 44444.6
    plan "plus"
    group "stays"
  ]
  node [
    id 10
    label "c10"
    age 35
    income 59309.56
    plan "basic"
    group "stays"
  ]
  node [
    id 11
    label "c11"
    age 37
    income 38348.78
    plan "gold"
    group "stays"
  ]
  node [
    id 12
    label "c12"
    age 53
    income 57332.76
    plan "gold"
    group "leaves"
  ]
  node [
    id 13
    label "c13"
    age 46
    income 40204.57
    plan "plus"
    group "stays"
  ]
  node [
    id 14
    label "c14"
    age 39
    income 48053.5
    plan "basic"
    group "stays"
  ]
  node [
    id 15
    label "c15"
    age 38
    income 31365.83
    plan "basic"
    group "stays"
  ]
  node [
    id 16
    label "c16"
    age 48
    income 50765.43
    plan "basic"
    group "leaves"
  ]
  node [
    id 17
    label "c17"
    age 53
    income 56644.59
    plan "gold"
    group "leaves"
  ]
  node [
    id 18
    label "c18"
    age 32
    income 46915.33
    plan "gold"
    group "stays"
  ]
  node [
    id 19
    label "c19"
    age 30
    income 41583.47
    plan "basic"
    group "stays"
  ]
  node [
    id 20
    label "c20"
    age 39
    income 37497.42
    plan "basic"
    group "stays"
  ]
  node [
    id 21
    label "c21"
    age 31
    income 34198.55
    plan "basic"
    group "stays"
  ]
  node [
    id 22
    label "c22"
    age 43
    income 61605.77
    plan "gold"
    group "leaves"
  ]
  node [
    id 23
    label "c23"
    age 48
    income 69979.79
    plan "gold"
    group "leaves"
  ]
  node [
    id 24
    label "c24"
    age 41
    income 44905.88
    plan "plus"
    group "stays"
  ]
  node [
    id 25
    label "c25"
    age 32
    income 43693.22
    plan "gold"
    group "stays"
  ]
  node [
    id 26
    label "c26"
    age 52
    income 60994.86
    plan "gold"
    group "leaves"
  ]
  node [
    id 27
    label "c27"
    age 36
    income 48516.12
    plan "gold"
    group "leaves"
  ]
  node [
    id 28
    label "c28"
    age 41
    income 39194.93
    plan "plus"
    group "stays"
  ]
  node [
    id 29
    label "c29"
    age 38
    income 54588.66
    plan "plus"
    group "leaves"
  ]
  node [
    id 30
    label "c30"
    age 39
    income 59657.16
    plan "gold"
    group "leaves"
  ]
  node [
    id 31
    label "c31"
    age 51
    income 56711.77
    plan "gold"
    group "leaves"
  ]
  node [
    id 32
    label "c32"
    age 45
    income 46052.4
    plan "gold"
    group "leaves"
  ]
  node [
    id 33
    label "c33"
    age 33
    income 52127.06
    plan "basic"
    group "stays"
  ]
  node [
    id 34
    label "c34"
    age 35
    income 57231.68
    plan "plus"
    group "stays"
  ]
  node [
    id 35
    label "c35"
    age 50
    income 54631.23
    plan "gold"
    group "leaves"
  ]
  node [
    id 36
    label "c36"
    age 47
    income 60589.57
    plan "gold"
    group "leaves"
  ]
  node [
    id 37
    label "c37"
    age 47
    income 59404.45
    plan "gold"
    group "leaves"
  ]
  node [
    id 38
    label "c38"
    age 53
    income 64061.97
    plan "gold"
    group "leaves"
  ]
  node [
    id 39
    label "c39"
    age 34
    income 28681.95
    plan "basic"
    group "stays"
  ]
  node [
    id 40
    label "c40"
    age 44
    income 71517.09
    plan "gold"
    group "leaves"
  ]
  node [
    id 41
    label "c41"
    age 35
    income 37789.33
    plan "gold"
    group "stays"
  ]
  node [
    id 42
    label "c42"
    age 45
    income 53378.04
    plan "gold"
    group "stays"
  ]
  node [
    id 43
    label "c43"
    age 53
    income 57726.04
    plan "plus"
    group "leaves"
  ]
  node [
    id 44
    label "c44"
    age 55
    income 53494.0
    plan "basic"
    group "leaves"
  ]
  node [
    id 45
    label "c45"
    age 38
    income 40735.93
    plan "gold"
    group "stays"
  ]
  node [
    id 46
    label "c46"
    age 37
    income 50074.56
    plan "basic"
    group "stays"
  ]
  node [
    id 47
    label "c47"
    age 43
    income 34230.51
    plan "basic"
    group "stays"
  ]
  node [
    id 48
    label "c48"
    age 36
    income 38623.4
    plan "basic"
    group "stays"
  ]
  node [
    id 49
    label "c49"
    age 52
    income 52660.38
    plan "gold"
    group "leaves"
  ]
  node [
    id 50
    label "c50"
    age 51
    income 41560.96
    plan "gold"
    group "leaves"
  ]
  node [
    id 51
    label "c51"
    age 43
    income 68703.83
    plan "gold"
    group "leaves"
  ]
  node [
    id 52
    label "c52"
    age 38
    income 47210.0
    plan "gold"
    group "stays"
  ]
  node [
    id 53
    label "c53"
    age 37
    income 41808.16
    plan "gold"
    group "stays"
  ]
  node [
    id 54
    label "c54"
    age 48
    income 52472.96
    plan "plus"
    group "stays"
  ]
  node [
    id 55
    label "c55"
    age 63
    income 48392.13
    plan "basic"
    group "leaves"
  ]
  node [
    id 56
    label "c56"
    age 37
    income 41338.95
    plan "gold"
    group "stays"
  ]
  node [
    id 57
    label "c57"
    age 38
    income 57528.63
    plan "plus"
    group "stays"
  ]
  node [
    id 58
    label "c58"
    age 24
    income 50817.0
    plan "basic"
    group "stays"
  ]
  node [
    id 59
    label "c59"
    age 48
    income 36970.95
    plan "gold"
    group "leaves"
  ]
  node [
    id 60
    label "c60"
    age 47
    income 27011.27
    plan "gold"
    group "leaves"
  ]
  node [
    id 61
    label "c61"
    age 32
    income 32658.87
    plan "plus"
    group "stays"
  ]
  node [
    id 62
    label "c62"
    age 43
    income 51551.55
    plan "gold"
    group "stays"
  ]
  node [
    id 63
    label "c63"
    age 29
    income 37747.99
    plan "plus"
    group "stays"
  ]
  node [
    id 64
    label "c64"
    age 46
    income 55040.3
    plan "gold"
    group "leaves"
  ]
  node [
    id 65
    label "c65"
    age 48
    income 62474.44
    plan "gold"
    group "leaves"
  ]
  node [
    id 66
    label "c66"
    age 40
    income 49033.18
    plan "gold"
    group "leaves"
  ]
  node [
    id 67
    label "c67"
    age 52
    income 58915.9
    plan "gold"
    group "leaves"
  ]
  node [
    id 68
    label "c68"
    age 53
    income 64128.88
    plan "gold"
    group "leaves"
  ]
  node [
    id 69
    label "c69"
    age 30
    income 46203.12
    plan "basic"
    group "stays"
  ]
  node [
    id 70
    label "c70"
    age 39
    income 60563.51
    plan "plus"
    group "leaves"
  ]
  node [
    id 71
    label "c71"
    age 51
    income 51581.58
    plan "plus"
    group "leaves"
  ]
  node [
    id 72
    label "c72"
    age 38
    income 46628.58
    plan "basic"
    group "stays"
  ]
  node [
    id 73
    label "c73"
    age 31
    income 38151.33
    plan "plus"
    group "stays"
  ]
  node [
    id 74
    label "c74"
    age 36
    income 53744.52
    plan "basic"
    group "stays"
  ]
  node [
    id 75
    label "c75"
    age 46
    income 80130.83
    plan "gold"
    group "leaves"
  ]
  node [
    id 76
    label "c76"
    age 37
    income 35340.85
    plan "gold"
    group "stays"
  ]
  node [
    id 77
    label "c77"
    age 52
    income 37429.48
    plan "basic"
    group "leaves"
  ]
  node [
    id 78
    label "c78"
    age 49
    income 53171.04
    plan "plus"
    group "leaves"
  ]
  node [
    id 79
    label "c79"
    age 49
    income 45391.61
    plan "basic"
    group "stays"
  ]
  node [
    id 80
    label "c80"
    age 46
    income 51451.18
    plan "plus"
    group "stays"
  ]
  node [
    id 81
    label "c81"
    age 51
    income 66711.14
    plan "gold"
    group "leaves"
  ]
  node [
    id 82
    label "c82"
    age 53
    income 49944.44
    plan "gold"
    group "leaves"
  ]
  node [
    id 83
    label "c83"
    age 55
    income 49860.88
    plan "gold"
    group "leaves"
  ]
  node [
    id 84
    label "c84"
    age 42
    income 53405.71
    plan "basic"
    group "stays"
  ]
  node [
    id 85
    label "c85"
    age 40
    income 47168.51
    plan "plus"
    group "leaves"
  ]
  node [
    id 86
    label "c86"
    age 43
    income 51812.08
    plan "gold"
    group "stays"
  ]
  node [
    id 87
    label "c87"
    age 47
    income 54958.01
    plan "gold"
    group "leaves"
  ]
  node [
    id 88
    label "c88"
    age 57
    income 63897.63
    plan "gold"
    group "leaves"
  ]
  node [
    id 89
    label "c89"
    age 39
    income 48355.48
    plan "basic"
    group "stays"
  ]
  edge [
    source 1
    target 48
  ]
  edge [
    source 1
    target 60
  ]
  edge [
    source 2
    target 42
  ]
  edge [
    source 2
    target 69
  ]
  edge [
    source 3
    target 21
  ]
  edge [
    source 3
    target 29
  ]
  edge [
    source 3
    target 53
  ]
  edge [
    source 3
    target 62
  ]
  edge [
    source 3
    target 73
  ]
  edge [
    source 4
    target 14
  ]
  edge [
    source 4
    target 69
  ]
  edge [
    source 4
    target 73
  ]
  edge [
    source 5
    target 12
  ]
  edge [
    source 5
    target 17
  ]
  edge [
    source 5
    target 31
  ]
  edge [
    source 5
    target 50
  ]
  edge [
    source 5
    target 76
  ]
  edge [
    source 6
    target 77
  ]
  edge [
    source 6
    target 83
  ]
  edge [
    source 7
    target 14
  ]
  edge [
    source 7
    target 37
  ]
  edge [
    source 7
    target 44
  ]
  edge [
    source 7
    target 47
  ]
  edge [
    source 7
    target 65
  ]
  edge [
    source 7
    target 78
  ]
  edge [
    source 8
    target 28
  ]
  edge [
    source 8
    target 34
  ]
  edge [
    source 8
    target 63
  ]
  edge [
    source 8
    target 76
  ]
  edge [
    source 9
    target 54
  ]
  edge [
    source 9
    target 64
  ]
  edge [
    source 9
    target 76
  ]
  edge [
    source 10
    target 21
  ]
  edge [
    source 10
    target 33
  ]
  edge [
    source 10
    target 34
  ]
  edge [
    source 10
    target 86
  ]
  edge [
    source 11
    target 20
  ]
  edge [
    source 11
    target 33
  ]
  edge [
    source 11
    target 54
  ]
  edge [
    source 11
    target 56
  ]
  edge [
    source 11
    target 61
  ]
  edge [
    source 12
    target 29
  ]
  edge [
    source 12
    target 30
  ]
  edge [
    source 12
    target 75
  ]
  edge [
    source 13
    target 19
  ]
  edge [
    source 13
    target 23
  ]
  edge [
    source 13
    target 24
  ]
  edge [
    source 13
    target 79
  ]
  edge [
    source 13
    target 86
  ]
  edge [
    source 14
    target 17
  ]
  edge [
    source 14
    target 61
  ]
  edge [
    source 14
    target 84
  ]
  edge [
    source 15
    target 19
  ]
  edge [
    source 15
    target 25
  ]
  edge [
    source 15
    target 47
  ]
  edge [
    source 15
    target 62
  ]
  edge [
    source 15
    target 76
  ]
  edge [
    source 15
    target 84
  ]
  edge [
    source 16
    target 31
  ]
  edge [
    source 16
    target 55
  ]
  edge [
    source 16
    target 67
  ]
  edge [
    source 16
    target 77
  ]
  edge [
    source 17
    target 30
  ]
  edge [
    source 17
    target 60
  ]
  edge [
    source 17
    target 67
  ]
  edge [
    source 17
    target 87
  ]
  edge [
    source 18
    target 61
  ]
  edge [
    source 18
    target 62
  ]
  edge [
    source 19
    target 42
  ]
  edge [
    source 20
    target 71
  ]
  edge [
    source 21
    target 41
  ]
  edge [
    source 21
    target 50
  ]
  edge [
    source 22
    target 27
  ]
  edge [
    source 22
    target 49
  ]
  edge [
    source 22
    target 52
  ]
  edge [
    source 23
    target 29
  ]
  edge [
    source 23
    target 38
  ]
  edge [
    source 23
    target 57
  ]
  edge [
    source 23
    target 66
  ]
  edge [
    source 23
    target 83
  ]
  edge [
    source 24
    target 32
  ]
  edge [
    source 24
    target 39
  ]
  edge [
    source 24
    target 48
  ]
  edge [
    source 24
    target 58
  ]
  edge [
    source 25
    target 28
  ]
  edge [
    source 25
    target 48
  ]
  edge [
    source 25
    target 56
  ]
  edge [
    source 26
    target 42
  ]
  edge [
    source 26
    target 46
  ]
  edge [
    source 26
    target 53
  ]
  edge [
    source 26
    target 74
  ]
  edge [
    source 27
    target 38
  ]
  edge [
    source 27
    target 44
  ]
  edge [
    source 27
    target 50
  ]
  edge [
    source 27
    target 64
  ]
  edge [
    source 27
    target 74
  ]
  edge [
    source 27
    target 85
  ]
  edge [
    source 29
    target 48
  ]
  edge [
    source 30
    target 35
  ]
  edge [
    source 30
    target 49
  ]
  edge [
    source 30
    target 71
  ]
  edge [
    source 31
    target 32
  ]
  edge [
    source 31
    target 50
  ]
  edge [
    source 32
    target 40
  ]
  edge [
    source 32
    target 44
  ]
  edge [
    source 32
    target 64
  ]
  edge [
    source 33
    target 78
  ]
  edge [
    source 34
    target 56
  ]
  edge [
    source 35
    target 37
  ]
  edge [
    source 35
    target 65
  ]
  edge [
    source 35
    target 78
  ]
  edge [
    source 36
    target 86
  ]
  edge [
    source 37
    target 44
  ]
  edge [
    source 37
    target 52
  ]
  edge [
    source 37
    target 59
  ]
  edge [
    source 37
    target 65
  ]
  edge [
    source 37
    target 83
  ]
  edge [
    source 37
    target 85
  ]
  edge [
    source 38
    target 69
  ]
  edge [
    source 38
    target 71
  ]
  edge [
    source 40
    target 70
  ]
  edge [
    source 40
    target 77
  ]
  edge [
    source 40
    target 87
  ]
  edge [
    source 41
    target 45
  ]
  edge [
    source 41
    target 52
  ]
  edge [
    source 41
    target 53
  ]
  edge [
    source 41
    target 65
  ]
  edge [
    source 41
    target 76
  ]
  edge [
    source 42
    target 53
  ]
  edge [
    source 43
    target 50
  ]
  edge [
    source 43
    target 55
  ]
  edge [
    source 43
    target 66
  ]
  edge [
    source 44
    target 66
  ]
  edge [
    source 45
    target 69
  ]
  edge [
    source 45
    target 86
  ]
  edge [
    source 46
    target 47
  ]
  edge [
    source 46
    target 54
  ]
  edge [
    source 46
    target 89
  ]
  edge [
    source 47
    target 49
  ]
  edge [
    source 47
    target 58
  ]
  edge [
    source 48
    target 61
  ]
  edge [
    source 48
    target 74
  ]
  edge [
    source 49
    target 55
  ]
  edge [
    source 49
    target 60
  ]
  edge [
    source 50
    target 55
  ]
  edge [
    source 50
    target 67
  ]
  edge [
    source 50
    target 82
  ]
  edge [
    source 50
    target 87
  ]
  edge [
    source 52
    target 73
  ]
  edge [
    source 53
    target 56
  ]
  edge [
    source 53
    target 58
  ]
  edge [
    source 53
    target 60
  ]
  edge [
    source 55
    target 77
  ]
  edge [
    source 56
    target 74
  ]
  edge [
    source 56
    target 79
  ]
  edge [
    source 57
    target 72
  ]
  edge [
    source 58
    target 79
  ]
  edge [
    source 58
    target 84
  ]
  edge [
    source 59
    target 85
  ]
  edge [
    source 59
    target 87
  ]
  edge [
    source 60
    target 87
  ]
  edge [
    source 61
    target 63
  ]
  edge [
    source 61
    target 66
  ]
  edge [
    source 61
    target 89
  ]
  edge [
    source 62
    target 65
  ]
  edge [
    source 62
    target 76
  ]
  edge [
    source 63
    target 89
  ]
  edge [
    source 64
    target 70
  ]
  edge [
    source 66
    target 67
  ]
  edge [
    source 66
    target 71
  ]
  edge [
    source 66
    target 87
  ]
  edge [
    source 66
    target 88
  ]
  edge [
    source 69
    target 75
  ]
  edge [
    source 69
    target 84
  ]
  edge [
    source 70
    target 79
  ]
  edge [
    source 70
    target 86
  ]
  edge [
    source 72
    target 89
  ]
  edge [
    source 78
    target 82
  ]
  edge [
    source 81
    target 87
  ]
  edge [
    source 83
    target 85
  ]
]

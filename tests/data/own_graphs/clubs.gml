Creator "igraph version 1.0.0 Mon Nov 16 17:41:31 2026"
Version 1
graph
[
  directed 0
  node
  [
    id 0
    size 2226
    share 0.618
    club "club 0"
  ]
  node
  [
    id 1
    size 5107
    share 0.597
    club "club 1"
  ]
  node
  [
    id 2
    size 6241
    share 0.654
    club "club 1"
  ]
  node
  [
    id 3
    size 1110
    share 0.084
    club "club 0"
  ]
  node
  [
    id 4
    size 5255
    share 0.385
    club "club 0"
  ]
  node
  [
    id 5
    size 5013
    share 0.34
    club "club 1"
  ]
  node
  [
    id 6
    size 8201
    share 0.579
    club "club 1"
  ]
  node
  [
    id 7
    size 18066
    share 0.528
    club "club 1"
  ]
  node
  [
    id 8
    size 23321
    share 0.626
    club "club 1"
  ]
  node
  [
    id 9
    size 18049
    share 0.753
    club "club 1"
  ]
  node
  [
    id 10
    size 2324
    share 0.533
    club "club 1"
  ]
  node
  [
    id 11
    size 7397
    share 0.625
    club "club 1"
  ]
  node
  [
    id 12
    size 7188
    share 0.564
    club "club 1"
  ]
  node
  [
    id 13
    size 5884
    share 0.312
    club "club 1"
  ]
  node
  [
    id 14
    size 5538
    share 0.42
    club "club 1"
  ]
  node
  [
    id 15
    size 6365
    share 0.532
    club "club 1"
  ]
  node
  [
    id 16
    size 4209
    share 0.504
    club "club 0"
  ]
  node
  [
    id 17
    size 2240
    share 0.249
    club "club 0"
  ]
  node
  [
    id 18
    size 3952
    share 0.473
    club "club 1"
  ]
  node
  [
    id 19
    size 1145
    share 0.318
    club "club 0"
  ]
  node
  [
    id 20
    size 9674
    share 0.711
    club "club 1"
  ]
  node
  [
    id 21
    size 1051
    share 0.525
    club "club 0"
  ]
  node
  [
    id 22
    size 13529
    share 0.543
    club "club 1"
  ]
  node
  [
    id 23
    size 2197
    share 0.192
    club "club 0"
  ]
  node
  [
    id 24
    size 6556
    share 0.498
    club "club 1"
  ]
  node
  [
    id 25
    size 3399
    share 0.634
    club "club 0"
  ]
  node
  [
    id 26
    size 2386
    share 0.568
    club "club 0"
  ]
  node
  [
    id 27
    size 13624
    share 0.679
    club "club 1"
  ]
  node
  [
    id 28
    size 1370
    share 0.132
    club "club 0"
  ]
  node
  [
    id 29
    size 2988
    share 0.444
    club "club 1"
  ]
  node
  [
    id 30
    size 9669
    share 0.208
    club "club 0"
  ]
  node
  [
    id 31
    size 9868
    share 0.565
    club "club 1"
  ]
  node
  [
    id 32
    size 1887
    share 0.33
    club "club 1"
  ]
  node
  [
    id 33
    size 8256
    share 0.431
    club "club 0"
  ]
  node
  [
    id 34
    size 3806
    share 0.448
    club "club 1"
  ]
  node
  [
    id 35
    size 30712
    share 0.783
    club "club 1"
  ]
  node
  [
    id 36
    size 26625
    share 0.587
    club "club 1"
  ]
  node
  [
    id 37
    size 5057
    share 0.152
    club "club 0"
  ]
  node
  [
    id 38
    size 8952
    share 0.686
    club "club 1"
  ]
  node
  [
    id 39
    size 5286
    share 0.433
    club "club 1"
  ]
  node
  [
    id 40
    size 15883
    share 0.438
    club "club 1"
  ]
  node
  [
    id 41
    size 2343
    share 0.281
    club "club 0"
  ]
  node
  [
    id 42
    size 5737
    share 0.646
    club "club 0"
  ]
  node
  [
    id 43
    size 7560
    share 0.72
    club "club 1"
  ]
  node
  [
    id 44
    size 3462
    share 0.535
    club "club 1"
  ]
  node
  [
    id 45
    size 5864
    share 0.284
    club "club 1"
  ]
  node
  [
    id 46
    size 3096
    share 0.395
    club "club 0"
  ]
  node
  [
    id 47
    size 6658
    share 0.471
    club "club 1"
  ]
  node
  [
    id 48
    size 3249
    share 0.213
    club "club 0"
  ]
  node
  [
    id 49
    size 5135
    share 0.696
    club "club 1"
  ]
  node
  [
    id 50
    size 23724
    share 0.64
    club "club 1"
  ]
  node
  [
    id 51
    size 6538
    share 0.694
    club "club 1"
  ]
  node
  [
    id 52
    size 12282
    share 0.73
    club "club 1"
  ]
  node
  [
    id 53
    size 3274
    share 0.433
    club "club 1"
  ]
  node
  [
    id 54
    size 14804
    share 0.574
    club "club 1"
  ]
  node
  [
    id 55
    size 22838
    share 0.628
    club "club 1"
  ]
  node
  [
    id 56
    size 4312
    share 0.265
    club "club 0"
  ]
  node
  [
    id 57
    size 7770
    share 0.652
    club "club 1"
  ]
  node
  [
    id 58
    size 5147
    share 0.57
    club "club 1"
  ]
  node
  [
    id 59
    size 4329
    share 0.377
    club "club 0"
  ]
  node
  [
    id 60
    size 12788
    share 0.571
    club "club 1"
  ]
  node
  [
    id 61
    size 1370
    share 0.214
    club "club 0"
  ]
  node
  [
    id 62
    size 9111
    share 0.567
    club "club 1"
  ]
  node
  [
    id 63
    size 12513
    share 0.594
    club "club 1"
  ]
  node
  [
    id 64
    size 5641
    share 0.64
    club "club 1"
  ]
  node
  [
    id 65
    size 4339
    share 0.147
    club "club 0"
  ]
  node
  [
    id 66
    size 2557
    share 0.336
    club "club 0"
  ]
  node
  [
    id 67
    size 21671
    share 0.586
    club "club 1"
  ]
  node
  [
    id 68
    size 4198
    share 0.702
    club "club 1"
  ]
  node
  [
    id 69
    size 4127
    share 0.08
    club "club 0"
  ]
  node
  [
    id 70
    size 3234
    share 0.433
    club "club 0"
  ]
  node
  [
    id 71
    size 972
    share 0.116
    club "club 0"
  ]
  node
  [
    id 72
    size 1718
    share 0.128
    club "club 0"
  ]
  node
  [
    id 73
    size 1796
    share 0.19
    club "club 0"
  ]
  node
  [
    id 74
    size 5273
    share 0.201
    club "club 0"
  ]
  node
  [
    id 75
    size 7270
    share 0.476
    club "club 1"
  ]
  node
  [
    id 76
    size 2992
    share 0.685
    club "club 0"
  ]
  node
  [
    id 77
    size 3289
    share 0.385
    club "club 0"
  ]
  node
  [
    id 78
    size 42711
    share 0.421
    club "club 1"
  ]
  node
  [
    id 79
    size 2603
    share 0.501
    club "club 0"
  ]
  node
  [
    id 80
    size 9642
    share 0.465
    club "club 0"
  ]
  node
  [
    id 81
    size 2684
    share 0.17
    club "club 0"
  ]
  node
  [
    id 82
    size 1161
    share 0.186
    club "club 0"
  ]
  node
  [
    id 83
    size 5507
    share 0.541
    club "club 1"
  ]
  node
  [
    id 84
    size 4256
    share 0.579
    club "club 1"
  ]
  node
  [
    id 85
    size 7197
    share 0.469
    club "club 1"
  ]
  node
  [
    id 86
    size 3726
    share 0.819
    club "club 1"
  ]
  node
  [
    id 87
    size 1728
    share 0.546
    club "club 0"
  ]
  node
  [
    id 88
    size 9479
    share 0.687
    club "club 0"
  ]
  node
  [
    id 89
    size 10386
    share 0.785
    club "club 1"
  ]
  edge
  [
    source 7
    target 0
  ]
  edge
  [
    source 16
    target 0
  ]
  edge
  [
    source 77
    target 0
  ]
  edge
  [
    source 5
    target 1
  ]
  edge
  [
    source 12
    target 1
  ]
  edge
  [
    source 17
    target 1
  ]
  edge
  [
    source 62
    target 1
  ]
  edge
  [
    source 78
    target 1
  ]
  edge
  [
    source 82
    target 1
  ]
  edge
  [
    source 8
    target 2
  ]
  edge
  [
    source 50
    target 2
  ]
  edge
  [
    source 58
    target 2
  ]
  edge
  [
    source 64
    target 2
  ]
  edge
  [
    source 19
    target 3
  ]
  edge
  [
    source 24
    target 3
  ]
  edge
  [
    source 33
    target 3
  ]
  edge
  [
    source 79
    target 3
  ]
  edge
  [
    source 7
    target 4
  ]
  edge
  [
    source 23
    target 4
  ]
  edge
  [
    source 70
    target 4
  ]
  edge
  [
    source 73
    target 4
  ]
  edge
  [
    source 80
    target 4
  ]
  edge
  [
    source 18
    target 5
  ]
  edge
  [
    source 50
    target 5
  ]
  edge
  [
    source 80
    target 5
  ]
  edge
  [
    source 8
    target 6
  ]
  edge
  [
    source 13
    target 6
  ]
  edge
  [
    source 15
    target 6
  ]
  edge
  [
    source 47
    target 7
  ]
  edge
  [
    source 63
    target 7
  ]
  edge
  [
    source 73
    target 7
  ]
  edge
  [
    source 67
    target 8
  ]
  edge
  [
    source 85
    target 8
  ]
  edge
  [
    source 14
    target 9
  ]
  edge
  [
    source 20
    target 9
  ]
  edge
  [
    source 23
    target 9
  ]
  edge
  [
    source 31
    target 9
  ]
  edge
  [
    source 35
    target 9
  ]
  edge
  [
    source 68
    target 9
  ]
  edge
  [
    source 51
    target 10
  ]
  edge
  [
    source 67
    target 10
  ]
  edge
  [
    source 89
    target 10
  ]
  edge
  [
    source 14
    target 11
  ]
  edge
  [
    source 22
    target 11
  ]
  edge
  [
    source 39
    target 11
  ]
  edge
  [
    source 82
    target 11
  ]
  edge
  [
    source 34
    target 12
  ]
  edge
  [
    source 45
    target 12
  ]
  edge
  [
    source 55
    target 12
  ]
  edge
  [
    source 14
    target 13
  ]
  edge
  [
    source 31
    target 13
  ]
  edge
  [
    source 38
    target 13
  ]
  edge
  [
    source 47
    target 13
  ]
  edge
  [
    source 57
    target 13
  ]
  edge
  [
    source 68
    target 13
  ]
  edge
  [
    source 38
    target 14
  ]
  edge
  [
    source 40
    target 14
  ]
  edge
  [
    source 88
    target 15
  ]
  edge
  [
    source 17
    target 16
  ]
  edge
  [
    source 48
    target 16
  ]
  edge
  [
    source 79
    target 16
  ]
  edge
  [
    source 19
    target 17
  ]
  edge
  [
    source 22
    target 17
  ]
  edge
  [
    source 44
    target 17
  ]
  edge
  [
    source 23
    target 19
  ]
  edge
  [
    source 46
    target 19
  ]
  edge
  [
    source 69
    target 19
  ]
  edge
  [
    source 81
    target 19
  ]
  edge
  [
    source 87
    target 19
  ]
  edge
  [
    source 31
    target 20
  ]
  edge
  [
    source 49
    target 20
  ]
  edge
  [
    source 41
    target 21
  ]
  edge
  [
    source 71
    target 21
  ]
  edge
  [
    source 81
    target 21
  ]
  edge
  [
    source 87
    target 21
  ]
  edge
  [
    source 88
    target 21
  ]
  edge
  [
    source 52
    target 22
  ]
  edge
  [
    source 41
    target 23
  ]
  edge
  [
    source 59
    target 23
  ]
  edge
  [
    source 61
    target 23
  ]
  edge
  [
    source 65
    target 23
  ]
  edge
  [
    source 74
    target 23
  ]
  edge
  [
    source 77
    target 23
  ]
  edge
  [
    source 81
    target 23
  ]
  edge
  [
    source 32
    target 24
  ]
  edge
  [
    source 60
    target 24
  ]
  edge
  [
    source 63
    target 24
  ]
  edge
  [
    source 83
    target 24
  ]
  edge
  [
    source 89
    target 24
  ]
  edge
  [
    source 30
    target 25
  ]
  edge
  [
    source 42
    target 25
  ]
  edge
  [
    source 66
    target 25
  ]
  edge
  [
    source 81
    target 25
  ]
  edge
  [
    source 28
    target 26
  ]
  edge
  [
    source 33
    target 26
  ]
  edge
  [
    source 43
    target 26
  ]
  edge
  [
    source 48
    target 26
  ]
  edge
  [
    source 69
    target 26
  ]
  edge
  [
    source 80
    target 26
  ]
  edge
  [
    source 40
    target 27
  ]
  edge
  [
    source 59
    target 28
  ]
  edge
  [
    source 82
    target 28
  ]
  edge
  [
    source 87
    target 28
  ]
  edge
  [
    source 74
    target 29
  ]
  edge
  [
    source 65
    target 30
  ]
  edge
  [
    source 58
    target 31
  ]
  edge
  [
    source 68
    target 31
  ]
  edge
  [
    source 76
    target 31
  ]
  edge
  [
    source 36
    target 32
  ]
  edge
  [
    source 38
    target 32
  ]
  edge
  [
    source 57
    target 32
  ]
  edge
  [
    source 63
    target 32
  ]
  edge
  [
    source 46
    target 33
  ]
  edge
  [
    source 61
    target 33
  ]
  edge
  [
    source 61
    target 34
  ]
  edge
  [
    source 62
    target 34
  ]
  edge
  [
    source 75
    target 34
  ]
  edge
  [
    source 68
    target 35
  ]
  edge
  [
    source 42
    target 37
  ]
  edge
  [
    source 63
    target 38
  ]
  edge
  [
    source 68
    target 38
  ]
  edge
  [
    source 78
    target 39
  ]
  edge
  [
    source 89
    target 39
  ]
  edge
  [
    source 84
    target 40
  ]
  edge
  [
    source 85
    target 40
  ]
  edge
  [
    source 63
    target 41
  ]
  edge
  [
    source 70
    target 41
  ]
  edge
  [
    source 73
    target 41
  ]
  edge
  [
    source 56
    target 42
  ]
  edge
  [
    source 80
    target 42
  ]
  edge
  [
    source 51
    target 43
  ]
  edge
  [
    source 68
    target 43
  ]
  edge
  [
    source 71
    target 44
  ]
  edge
  [
    source 86
    target 44
  ]
  edge
  [
    source 51
    target 45
  ]
  edge
  [
    source 76
    target 46
  ]
  edge
  [
    source 60
    target 47
  ]
  edge
  [
    source 85
    target 47
  ]
  edge
  [
    source 70
    target 48
  ]
  edge
  [
    source 71
    target 48
  ]
  edge
  [
    source 51
    target 49
  ]
  edge
  [
    source 54
    target 49
  ]
  edge
  [
    source 57
    target 51
  ]
  edge
  [
    source 64
    target 52
  ]
  edge
  [
    source 63
    target 53
  ]
  edge
  [
    source 55
    target 54
  ]
  edge
  [
    source 70
    target 54
  ]
  edge
  [
    source 75
    target 54
  ]
  edge
  [
    source 78
    target 54
  ]
  edge
  [
    source 83
    target 54
  ]
  edge
  [
    source 85
    target 54
  ]
  edge
  [
    source 64
    target 55
  ]
  edge
  [
    source 59
    target 56
  ]
  edge
  [
    source 73
    target 56
  ]
  edge
  [
    source 75
    target 56
  ]
  edge
  [
    source 62
    target 58
  ]
  edge
  [
    source 67
    target 58
  ]
  edge
  [
    source 68
    target 58
  ]
  edge
  [
    source 70
    target 59
  ]
  edge
  [
    source 72
    target 59
  ]
  edge
  [
    source 79
    target 59
  ]
  edge
  [
    source 64
    target 60
  ]
  edge
  [
    source 76
    target 61
  ]
  edge
  [
    source 79
    target 61
  ]
  edge
  [
    source 81
    target 61
  ]
  edge
  [
    source 64
    target 63
  ]
  edge
  [
    source 86
    target 63
  ]
  edge
  [
    source 89
    target 63
  ]
  edge
  [
    source 69
    target 65
  ]
  edge
  [
    source 74
    target 66
  ]
  edge
  [
    source 80
    target 66
  ]
  edge
  [
    source 72
    target 68
  ]
  edge
  [
    source 81
    target 69
  ]
  edge
  [
    source 79
    target 70
  ]
  edge
  [
    source 80
    target 71
  ]
  edge
  [
    source 87
    target 71
  ]
  edge
  [
    source 79
    target 76
  ]
  edge
  [
    source 84
    target 80
  ]
  edge
  [
    source 87
    target 81
  ]
  edge
  [
    source 89
    target 85
  ]
]

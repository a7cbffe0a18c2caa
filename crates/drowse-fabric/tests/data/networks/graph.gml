graph [
  node [
    id 0
    label "0"
  ]
  node [
    id 1
    label "1"
  ]
  node [
    id 2
    label "3"
  ]
  node [
    id 3
    label "2"
  ]
  edge [
    source 0
    target 1
    bandwidth "10 Gb/s"
  ]
  edge [
    source 0
    target 2
    bandwidth "10 Gb/s"
  ]
  edge [
    source 1
    target 3
    bandwidth "10 Gb/s"
  ]
  edge [
    source 2
    target 3
    bandwidth "10 Gb/s"
  ]
]

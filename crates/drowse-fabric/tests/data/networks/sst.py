import sst
from sst.merlin.base import *
from sst.merlin.topology import topoHyperX

topology = topoHyperX()
topology.shape = "4x4"
topology.local_ports = 2

from mininet.topo import Topo

class Line(Topo):
    def build(self):
        self.addLink(self.addSwitch("s1"), self.addSwitch("s2"))

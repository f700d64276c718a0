"""Base against head: aligning, counting, noise, the gate. Pure."""

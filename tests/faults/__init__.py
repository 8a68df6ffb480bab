"""Every call of ours that touches the disk, failing in turn."""

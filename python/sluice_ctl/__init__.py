"""A client of the control socket of a device that `sluice up` keeps running.

    from sluice_ctl import Device

    with Device() as device:
        device.launch("mail", "viewer")
        result = device.share("mail", "viewer", "Quarterly figures")
        print(result["observed"][0]["verdict"])
"""
from .device import Device, DeviceError, HungUp
from .places import NoDevice, only_socket

__all__ = ["Device", "DeviceError", "HungUp", "NoDevice", "only_socket"]

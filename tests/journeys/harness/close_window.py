"""Sends a window what a window manager sends when its close button is pressed. Argument: the window's id."""

import ctypes
import sys


class Message(ctypes.Structure):
    _fields_ = [
        ("type", ctypes.c_int),
        ("serial", ctypes.c_ulong),
        ("send_event", ctypes.c_int),
        ("display", ctypes.c_void_p),
        ("window", ctypes.c_ulong),
        ("kind", ctypes.c_ulong),
        ("format", ctypes.c_int),
        ("data", ctypes.c_long * 5),
        ("rest", ctypes.c_long * 12),
    ]


CLIENT_MESSAGE = 33
x11 = ctypes.CDLL("libX11.so.6")
x11.XOpenDisplay.restype = ctypes.c_void_p
x11.XInternAtom.restype = ctypes.c_ulong
display = ctypes.c_void_p(x11.XOpenDisplay(None))
window = ctypes.c_ulong(int(sys.argv[1]))
protocols, delete = (x11.XInternAtom(display, name, 0) for name in (b"WM_PROTOCOLS", b"WM_DELETE_WINDOW"))
message = Message(CLIENT_MESSAGE, 0, 1, display, window, protocols, 32, (delete, 0, 0, 0, 0))
sent = x11.XSendEvent(display, window, 0, ctypes.c_long(0), ctypes.byref(message))
x11.XCloseDisplay(display)
sys.exit(0 if sent else 1)

//! A second hold on a TCP connection, with which a fault writes past the HTTP server. Knows nothing of HTTP.

use std::{io, sync::Arc};

use axum::{extract::connect_info::Connected, serve::IncomingStream};
use socket2::SockRef;
use tokio::net::{TcpListener, TcpStream};

/// Available to every request that arrives over the connection.
#[derive(Clone, Debug)]
pub(crate) struct ConnectionHandle(Arc<io::Result<TcpStream>>);

impl Connected<IncomingStream<'_, TcpListener>> for ConnectionHandle {
    fn connect_info(stream: IncomingStream<'_, TcpListener>) -> Self {
        let socket = SockRef::from(stream.io()).try_clone();
        Self(Arc::new(
            socket.and_then(|socket| TcpStream::from_std(socket.into())),
        ))
    }
}

impl ConnectionHandle {
    fn stream(&self) -> io::Result<&TcpStream> {
        let stream = self.0.as_ref().as_ref();
        stream.map_err(|error| error.kind().into())
    }

    /// Makes the end of the connection a TCP reset.
    pub(crate) fn reset_at_end(&self) -> io::Result<()> {
        self.stream()?.set_zero_linger()
    }

    /// Writes raw bytes past the HTTP server, which must be waiting for the handler meanwhile.
    pub(crate) async fn write(&self, mut bytes: &[u8]) -> io::Result<()> {
        let stream = self.stream()?;
        while !bytes.is_empty() {
            stream.writable().await?;
            match stream.try_write(bytes) {
                Ok(written) => bytes = &bytes[written..],
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}

import type { Connection } from 'ssh2'
import type { Library } from './library'

// Clients normally exchange keys once per hour or gigabyte. Each exchange costs the server a signature.
const maxExchanges = 20
const exchangeWindowMs = 60_000

// OpenSSH accepts packets of 32 KiB. The library would split its output into packets of any size, and for
// size zero into endlessly many.
const minPacketBytes = 1024
const administrativelyProhibited = 1

/**
 * Disconnects clients that send more than allowed: data beyond a channel's window, which the library would
 * keep in memory; endless key exchanges; authentication methods other than public keys; and authentication
 * requests before the last one is answered.
 * @returns a function to call when an authentication request has been answered
 */
export function refuseExcess(
  client: Connection,
  { protocol, channels }: Library,
  end: () => void,
): () => void {
  const { _handlers: handlers } = protocol
  const {
    CHANNEL_OPEN: open,
    CHANNEL_DATA: receive,
    CHANNEL_CLOSE: close,
    USERAUTH_REQUEST: attempt,
  } = handlers

  handlers.CHANNEL_OPEN = (self, info) => {
    if (info.packetSize >= minPacketBytes) return open(self, info)
    self.channelOpenFail(info.sender, administrativelyProhibited, 'the packets are too small')
  }

  handlers.CHANNEL_DATA = (self, recipient, data) => {
    const found = channels.get(recipient)
    const window = (found?._channel ?? found)?.incoming?.window
    if (window !== undefined && data.length > window) return end()
    receive(self, recipient, data)
  }

  // The library neither releases nor confirms a session that is closed before it had a command.
  handlers.CHANNEL_CLOSE = (self, recipient) => {
    const session = channels.get(recipient)
    close(self, recipient)
    if (!session?._chanInfo || session._channel) return
    channels.remove(recipient)
    self.channelClose(session._chanInfo.outgoing.id)
  }

  let isAnswering = false
  handlers.USERAUTH_REQUEST = (self, user, service, method, data) => {
    if (isAnswering || (method !== 'none' && method !== 'publickey')) return end()
    isAnswering = true
    attempt(self, user, service, method, data)
  }

  let exchanges = 0
  let since = performance.now()
  client.on('rekey', () => {
    const now = performance.now()
    if (now - since > exchangeWindowMs) {
      exchanges = 0
      since = now
    }
    if (++exchanges > maxExchanges) end()
  })
  return () => {
    isAnswering = false
  }
}

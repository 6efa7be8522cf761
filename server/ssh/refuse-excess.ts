import type { Connection } from 'ssh2'

// Clients exchange keys once an hour or gigabyte; each exchange costs us signatures.
const maxExchanges = 20
const exchangeWindowMs = 60_000

interface Window {
  incoming: { window: number }
}

/** What we use of the library's own objects, as they are in the version that package.json names. */
interface Internals {
  _protocol: { _handlers: { CHANNEL_DATA(protocol: unknown, recipient: number, data: Buffer): void } }
  _chanMgr: { get(id: number): (Partial<Window> & { _channel?: Window }) | undefined }
}

/**
 * Ends connections of clients that send more than they were allowed to: data beyond the window of a channel, which the
 * library would keep in memory, and key exchanges without end.
 */
export function refuseExcess(client: Connection, end: () => void): void {
  const { _protocol: protocol, _chanMgr: channels } = client as unknown as Internals
  const receive = protocol._handlers.CHANNEL_DATA
  protocol._handlers.CHANNEL_DATA = (self, recipient, data) => {
    const found = channels.get(recipient)
    const window = found?._channel?.incoming.window ?? found?.incoming?.window
    if (window !== undefined && data.length > window) return end()
    receive(self, recipient, data)
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
}

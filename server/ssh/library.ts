import type { Connection } from 'ssh2'

/** A channel of the SSH library, or a session that does not have a channel yet. */
export interface LibraryChannel {
  incoming?: { window: number }
  outgoing?: { id: number }
  /** Set for sessions: the data of their future channel, and the channel itself once a command runs. */
  _chanInfo?: { outgoing: { id: number } }
  _channel?: LibraryChannel
}

interface OfferedLists {
  kex: { array: string[] }
  serverHostKey: { array: string[] }
  cs: Record<'cipher' | 'mac' | 'compress' | 'lang', { array: string[] }>
}

export interface LibraryOffer {
  lists: OfferedLists
}

export interface LibraryProtocol {
  _handlers: {
    CHANNEL_OPEN(protocol: LibraryProtocol, info: { sender: number; packetSize: number }): void
    CHANNEL_DATA(protocol: LibraryProtocol, recipient: number, data: Buffer): void
    CHANNEL_CLOSE(protocol: LibraryProtocol, recipient: number): void
    USERAUTH_REQUEST(
      protocol: LibraryProtocol,
      user: string,
      service: string,
      method: string,
      data: unknown,
    ): void
  }
  _onHandshakeComplete(...facts: unknown[]): void
  _offer: LibraryOffer
  /** Set during a key exchange, while all other output is kept in memory. */
  _kexinit: Buffer | undefined
  _kex: { remoteExtInfoEnabled: boolean } | undefined
  _cipher: { encrypt(packet: Buffer): void }
  _packetRW: {
    write: { allocStart: number; alloc(bytes: number): Buffer; finalize(packet: Buffer): Buffer }
  }
  channelClose(id: number): void
  channelOpenFail(sender: number, reason: number, description: string): void
}

/**
 * Internal objects of the SSH library that the server uses, as they are in the version that package.json
 * pins.
 */
export interface Library {
  protocol: LibraryProtocol
  channels: { get(id: number): LibraryChannel | undefined; remove(id: number): void }
}

/**
 * Returns the SSH library's internal objects for a connection that has not signed in yet.
 * @throws {Error} if the installed version of the library has different internals.
 */
export function libraryOf(client: Connection): Library {
  const { _protocol: protocol, _chanMgr: channels } = client as unknown as {
    _protocol: LibraryProtocol
    _chanMgr: Library['channels']
  }
  const needed = [
    protocol?._handlers?.CHANNEL_OPEN,
    protocol?._handlers?.CHANNEL_DATA,
    protocol?._handlers?.CHANNEL_CLOSE,
    protocol?._handlers?.USERAUTH_REQUEST,
    protocol?._onHandshakeComplete,
    protocol?._offer?.lists?.serverHostKey,
    protocol?._packetRW?.write?.finalize,
    protocol?.channelClose,
    protocol?.channelOpenFail,
    channels?.get,
    channels?.remove,
  ]
  if (needed.some(member => member === undefined) || !('_kexinit' in protocol)) {
    throw new Error('the installed version of the SSH library lacks internals that the server relies on')
  }
  return { protocol, channels }
}

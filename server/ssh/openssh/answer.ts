import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { explainGitError } from '@/server/api/git/errors'
import { callerOfKey, findKeysById, type KnownKey } from '@/server/auth/credentials/ssh-key'
import { canonicalAddress } from '@/server/kernel/ip-address'
import type { ConnectionShares } from '@/server/kernel/share-connections'
import { findSignInKey, recordKeyUse } from '@/server/keys'
import { requestContext, type Services } from '@/server/services'
import { runSshCommand } from '../run-command'
import type { Peer } from './peer'
import { type CommandRequest, type KeyRequest, maxCommandLength, type Request } from './wire'

const RequestSchema: z.ZodType<Request> = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('key'), type: z.string(), blob: z.string() }),
  z.object({
    kind: z.literal('command'),
    key: z.int().positive(),
    command: z.string().max(maxCommandLength, 'The command is too long.').optional(),
    protocol: z.string().max(200, 'GIT_PROTOCOL is too long.'),
    address: z.string(),
  }),
])

/** Limits on the number of running commands, in total and per network. */
export interface CommandSlots {
  free: number
  shares: ConnectionShares
}

/**
 * Handles the request of a command that OpenSSH runs. Calls `began` with the key when a Git command starts.
 * @returns the exit code
 */
export async function answerPeer(
  services: Services,
  peer: Peer,
  slots: CommandSlots,
  began: (key: KnownKey) => void,
): Promise<number> {
  const text = await peer.request
  if (text === undefined) return 1
  const request = parse(text)
  if (typeof request === 'string') {
    peer.printLine(`Guildhall: ${request}`)
    return 1
  }
  const remoteAddress = request.kind === 'command' ? canonicalAddress(request.address) : ''
  const ctx = requestContext(services, {
    requestId: randomUUID(),
    remoteAddress,
    disconnected: () => peer.disconnected,
  })
  try {
    if (request.kind === 'key') return await showKey(ctx, peer, request)
    return await withSlot(peer, slots, remoteAddress, () => runCommand(services, ctx, peer, request, began))
  } catch (error) {
    if (!peer.disconnected.aborted) peer.printLine(`Guildhall: ${explainGitError(error, ctx).text}`)
    return 1
  }
}

type Ctx = ReturnType<typeof requestContext>

function parse(text: string): Request | string {
  try {
    const parsed = RequestSchema.safeParse(JSON.parse(text))
    return parsed.success ? parsed.data : (parsed.error.issues[0]?.message ?? '')
  } catch {
    return 'The request is invalid.'
  }
}

/** Sends the ID and the public key if the key grants access; otherwise sends nothing. */
async function showKey(ctx: Ctx, peer: Peer, { type, blob }: KeyRequest): Promise<number> {
  const { opens, fingerprint, refusal } = await findSignInKey(ctx, Buffer.from(blob, 'base64'))
  const [storedType, storedBlob] = opens?.key.content.split(' ') ?? []
  if (opens && storedType === type) {
    await peer.write(Buffer.from(`${opens.key.id} ${storedType} ${storedBlob}`))
    return 0
  }
  const { log, requestId } = ctx
  log.info({ requestId, fingerprint, reason: refusal ?? 'type' }, 'an SSH key was refused')
  return 0
}

async function withSlot(
  peer: Peer,
  slots: CommandSlots,
  address: string,
  run: () => Promise<number>,
): Promise<number> {
  const release = slots.free > 0 ? slots.shares.take(address) : undefined
  if (!release) {
    peer.printLine('Guildhall: Too many commands are running. Try again later.')
    return 1
  }
  slots.free--
  try {
    return await run()
  } finally {
    slots.free++
    release()
  }
}

async function runCommand(
  services: Services,
  ctx: Ctx,
  peer: Peer,
  { key: id, command, protocol }: CommandRequest,
  began: (key: KnownKey) => void,
): Promise<number> {
  const { db, clock, log, requestId, remoteAddress } = ctx
  const [key] = await findKeysById(db, [id], clock.now())
  const caller = key && callerOfKey(key)
  if (!caller) {
    log.info({ requestId, remoteAddress, key: id }, 'an SSH key was refused')
    peer.printLine('Guildhall: This key no longer grants access.')
    return 1
  }
  began(key)
  recordKeyUse(ctx, key).catch(error =>
    log.warn({ requestId, err: error }, 'the use of a key could not be recorded'),
  )
  const { input, disconnected, write, printLine, end } = peer
  return await runSshCommand(
    services,
    { command, protocol, input, disconnected, write, printLine, end },
    { key, caller, remoteAddress },
  )
}

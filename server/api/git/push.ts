import type { Duplex } from 'node:stream'
import { notFound } from '@/server/kernel/errors'
import { type GitMemory, memoryFor } from '@/server/kernel/git/memory'
import { type Call, readAway } from '@/server/kernel/http/call'
import type { Pace } from '@/server/kernel/http/pace'
import {
  answerPushHook,
  beginPush,
  pushVariable,
  readOutcome,
  refusedNames,
  refusedWorkflowChange,
  settlePush,
} from '@/server/repos/push'
import { countPackedObjects, repositoryPath } from '@/server/repos/storage'
import type { Authorized } from './authorize'
import { explainGitError, notUnderstood } from './errors'
import { startService } from './git-call'
import { type GitLimits, paceFor, type Reserve } from './limits'
import { atPace, bodyAt } from './pace'
import { commandBytes, openPushBody } from './pack-header'
import { gitHeaders, protocolVariable } from './protocol'
import { sendPushMessages } from './push-messages'
import type { Output } from './reply'
import { isGzipped, pipeBody, type SentBody, unpacked } from './request-body'
import { pushSettings } from './settings'
import { streamOutput } from './stream-output'

// Unpacked. Git never compresses a push, because its pack is compressed already. JGit does if the first chunk becomes
// shorter.
const gzippedBytes = 16 * 1024 * 1024

// Minimum bytes of a pack for each of its objects. An announcement of more objects than fit is not trusted.
const minObjectBytes = 12

// The packet that ends Git's response. Without it, no client considers a push complete.
const lastPacketBytes = 4

/** A push as it arrives. */
export interface SentPush extends SentBody {
  /** The protocol versions that the client offers. */
  offered: string
  /** Length of the body in bytes, if it is announced. */
  bytes?: number
}

/** Reads a push from a request as it arrives. */
export function sentPush(request: Call, offered: string, { pack }: GitLimits): SentPush {
  const gzipped = isGzipped(request)
  const source = request.stream()
  const length = request.headers.get('content-length')
  return {
    body: bodyAt(pack, source),
    gzipped,
    offered,
    discard: () => readAway(source),
    ...(length === null ? {} : { bytes: Number(length) }),
  }
}

/**
 * Receives a push and records it. `reauthorize` checks the access again once everything has arrived and before a ref
 * moves, because a push can take hours. The response ends after the push is recorded, so that a client that sees it
 * succeed finds it everywhere. If the client disconnects, Git's input ends, and Git itself refuses half a push and
 * completes a whole one.
 */
export async function takePush(
  authorized: Authorized,
  sent: SentPush,
  output: Output,
  reauthorize: () => Promise<Authorized>,
  limits: GitLimits,
  reserve: Reserve,
): Promise<void> {
  const { config } = authorized.ctx
  const { storage_key, size_kib: storedKib } = authorized.opened.seen.repository
  const { gzipped } = sent
  const { maxPushBytes } = config
  const bytes = gzipped ? gzippedBytes : (sent.bytes ?? maxPushBytes)
  const whole = gzipped ? unpacked(sent.body) : sent.body
  const { objects: announced, capabilities, body } = await openPushBody(whole[Symbol.asyncIterator]())
  const present = await countPackedObjects(repositoryPath(config, storage_key))
  const wanted = memoryOfPush({ storedKib, present, announced, bytes })
  let finish = async (): Promise<void> => undefined
  await reserve(wanted, async memory => {
    const pace = paceFor(limits.pack, memory)
    const opened = { ...sent, body: atPace(pace, body), gzipped: false }
    finish = await receivePack(authorized, opened, output, reauthorize, {
      pace,
      memory,
      capabilities,
      // Git limits the pack itself.
      limitBytes: gzipped ? gzippedBytes : maxPushBytes + commandBytes,
    })
  })
  // Git has exited, so messages about the push hold no memory.
  await finish()
}

/**
 * Returns the memory that Git needs to receive a push, in KiB: for the repository, and for the objects that the pack
 * announces, limited to how many its bytes can contain.
 */
export function memoryOfPush(push: {
  storedKib: number
  present: number
  announced: number
  /** Length of the request in bytes, or its maximum. */
  bytes: number
}): GitMemory {
  const coming = Math.min(push.announced, Math.ceil(push.bytes / minObjectBytes))
  return memoryFor({ storedKib: push.storedKib, objects: push.present + coming })
}

interface PushTerms {
  pace: Pace
  memory: GitMemory
  limitBytes: number
  capabilities: ReadonlySet<string>
}

/** Runs Git to receive a push, and records it. Returns the bytes that end the response. */
async function receivePack(
  authorized: Authorized,
  sent: SentPush,
  output: Output,
  reauthorize: () => Promise<Authorized>,
  { pace, memory, limitBytes, capabilities }: PushTerms,
): Promise<() => Promise<void>> {
  const { ctx, opened } = authorized
  const { config, log, requestId } = ctx
  const { repository } = opened.seen
  const push = await beginPush(ctx, repository)
  try {
    const started = startService(
      ['receive-pack', '--stateless-rpc'],
      repositoryPath(config, repository.storage_key),
      pushSettings(config),
      {
        log,
        requestId,
        socket: true,
        memory,
        environment: { [pushVariable]: push.directory, ...protocolVariable(sent.offered) },
      },
    )
    answerPushHook(started.process.stdio[3] as unknown as Duplex, async quarantine => {
      try {
        const again = await reauthorize()
        const { seen } = again.opened
        // By now the name can belong to another repository.
        if (seen.repository.id !== repository.id) throw notFound()
        const names = await refusedNames(push.directory)
        if (names !== undefined || again.ctx.caller.kind !== 'job') return names
        return await refusedWorkflowChange({
          spool: push.directory,
          repository: repositoryPath(config, repository.storage_key),
          defaultBranch: seen.repository.default_branch,
          quarantine,
        })
      } catch (error) {
        return `Nothing was changed: ${explainGitError(error, ctx).text}`
      }
    })
    const fed = pipeBody(sent, started.process.stdin, { limitBytes })
    const headers = gitHeaders('application/x-git-receive-pack-result')
    const answer = await streamOutput(started.process.stdout, output, headers, {
      pace,
      heldBytes: lastPacketBytes,
    })
    const ended = await started.ended()
    const outcome = await readOutcome(push.directory, { ended })
    const eventIds = await settlePush(ctx, push.note, outcome)
    if (output.disconnected.aborted) return async () => undefined
    if (!ended || (fed.refusal && !answer.begun)) throw fed.refusal ?? notUnderstood()
    const updates = outcome && 'done' in outcome ? outcome.done : []
    return async () => answer.finish(await sendPushMessages(authorized, { updates, eventIds }, capabilities))
  } finally {
    push.release()
  }
}

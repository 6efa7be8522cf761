import type { IncomingMessage, ServerResponse } from 'node:http'
import { memoryFor } from '@/server/kernel/git/environment'
import { beginPush, pushVariable, readOutcome, repositoryPath, settlePush } from '@/server/repos/git'
import type { Admitted } from './admit'
import { feed, isGzipped } from './feed'
import { startService } from './git-call'
import { gitHeaders, offeredProtocol } from './protocol'
import { notUnderstood } from './refusal'
import { relay } from './relay'
import { pushSettings } from './settings'

// Besides the pack, which git holds to its own limit: the refs to change.
const commandBytes = 64 * 1024 * 1024

// The packet that ends git's answer. Without it no client takes a push for done.
const lastPacketBytes = 4

/**
 * Takes a push. The answer ends once it is recorded, so that whoever sees it succeed finds it everywhere at once.
 * A client that goes away ends git's input, not git: half a push is refused by git itself, a whole one is recorded.
 */
export async function takePush(
  { ctx, opened }: Admitted,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const gzipped = isGzipped(request)
  const { config, log, requestId } = ctx
  const { repository } = opened.seen
  const offered = offeredProtocol(request)
  const push = await beginPush(ctx, repository)
  try {
    const call = startService(
      ['receive-pack', '--stateless-rpc'],
      repositoryPath(config, repository.storage_key),
      pushSettings(config),
      {
        log,
        requestId,
        environment: {
          ...memoryFor(repository.size_kib),
          [pushVariable]: push.directory,
          ...(offered ? { GIT_PROTOCOL: offered } : {}),
        },
      },
    )
    const body = feed(request, call.process.stdin, {
      gzipped,
      limitBytes: config.maxPushBytes + commandBytes,
    })
    const headers = gitHeaders('application/x-git-receive-pack-result')
    const answer = await relay(call.process.stdout, response, headers, lastPacketBytes)
    const ended = await call.ended()
    await settlePush(ctx, push.note, await readOutcome(push.directory, { ended }))
    if (response.destroyed) return
    if (!ended || (body.broken && !answer.begun)) throw notUnderstood()
    answer.finish()
  } finally {
    push.letGo()
  }
}

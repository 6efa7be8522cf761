import type { Call } from '@/server/kernel/http/call'
import { repositoryPath } from '@/server/repos/storage'
import type { Authorized } from './authorize'
import { endWithClient, startService } from './git-call'
import type { GitService } from './git-path'
import type { GitLimits } from './limits'
import { gitHeaders, greeting, offeredProtocol } from './protocol'
import type { Reply } from './reply'
import { fetchSettings, pushSettings } from './settings'
import { streamOutput } from './stream-output'

/** Answers which refs there are, or with version 2 what the server can do: the first request of every git command. */
export async function advertise(
  { ctx, opened }: Authorized,
  service: GitService,
  request: Call,
  reply: Reply,
  { pack }: GitLimits,
): Promise<void> {
  const { config, log, requestId } = ctx
  const offered = offeredProtocol(request)
  const started = startService(
    [service.slice('git-'.length), '--stateless-rpc', '--advertise-refs'],
    repositoryPath(config, opened.seen.repository.storage_key),
    service === 'git-receive-pack' ? pushSettings(config) : fetchSettings,
    { log, requestId, environment: offered ? { GIT_PROTOCOL: offered } : {} },
  )
  endWithClient(started.process, reply.gone)
  started.process.stdin.end()
  const headers = gitHeaders(`application/x-${service}-advertisement`)
  const output = greeted(greeting(service, offered), started.process.stdout)
  const answer = await streamOutput(output, reply, headers, { pace: pack })
  if (!(await started.ended()) && !reply.gone.aborted)
    throw new Error(`git ${service} could not list the refs`)
  answer.finish()
}

// Together with git's first output: until then a failure can still be answered with an error status.
async function* greeted(greeting: string, output: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let first = true
  for await (const chunk of output) {
    yield first ? Buffer.concat([Buffer.from(greeting), chunk]) : chunk
    first = false
  }
}

import { repositoryPath } from '@/server/repos/storage'
import type { Authorized } from './authorize'
import { endWithClient, startService } from './git-call'
import type { GitService } from './git-path'
import type { GitLimits } from './limits'
import { gitHeaders, protocolVariable } from './protocol'
import type { Output } from './reply'
import { fetchSettings, pushSettings } from './settings'
import { streamOutput } from './stream-output'

/**
 * Answers which refs there are, or with version 2 what the server can do: the first request of every git command.
 * @param greeting what goes before git's own words
 */
export async function advertise(
  { ctx, opened }: Authorized,
  service: GitService,
  { offered, greeting }: { offered: string; greeting: string },
  output: Output,
  { pack }: GitLimits,
): Promise<void> {
  const { config, log, requestId } = ctx
  const started = startService(
    [service.slice('git-'.length), '--stateless-rpc', '--advertise-refs'],
    repositoryPath(config, opened.seen.repository.storage_key),
    service === 'git-receive-pack' ? pushSettings(config) : fetchSettings,
    { log, requestId, environment: protocolVariable(offered) },
  )
  endWithClient(started.process, output.gone)
  started.process.stdin.end()
  const headers = gitHeaders(`application/x-${service}-advertisement`)
  const refs = greeted(greeting, started.process.stdout)
  const answer = await streamOutput(refs, output, headers, { pace: pack })
  if (!(await started.ended()) && !output.gone.aborted)
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

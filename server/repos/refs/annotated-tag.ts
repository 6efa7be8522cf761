import type { ActingCtx } from '@/server/kernel/ctx'
import { personLine } from '@/server/kernel/git/commit'
import { durableConfig } from '@/server/kernel/git/environment'
import { runGit } from '@/server/kernel/git/run'
import { signatureOf } from '../signature'

/** Writes the object of an annotated tag by the caller at a commit, and returns its ID. */
export async function writeTagObject(
  ctx: ActingCtx,
  repository: string,
  { name, target, message }: { name: string; target: string; message: string },
): Promise<string> {
  const lines = [`object ${target}`, 'type commit', `tag ${name}`, `tagger ${personLine(signatureOf(ctx))}`]
  const input = `${lines.join('\n')}\n\n${message.trimEnd()}\n`
  const args = ['hash-object', '-w', '-t', 'tag', '--stdin']
  return (await runGit(args, { repository, settings: durableConfig, input })).trim()
}

import type { ViewCtx } from '@/server/kernel/ctx'
import { encodePath } from '@/server/kernel/url-path'

/** Returns the URLs of the ZIP and tarball archives of a tag or branch. */
export function archiveUrls(
  { config }: Pick<ViewCtx, 'config'>,
  { owner, repository }: { owner: { name: string }; repository: { name: string } },
  ref: string,
): { zipball_url: string; tarball_url: string } {
  const base = `${config.baseUrl}/${owner.name}/${repository.name}/archive/${encodePath(ref)}`
  return { zipball_url: `${base}.zip`, tarball_url: `${base}.tar.gz` }
}

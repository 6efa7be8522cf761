import type { ServiceCtx } from '@/server/kernel/ctx'
import type { Revision } from '@/server/kernel/git/revision'
import { encodePath } from '@/server/kernel/url-path'
import type { RepositoryWithAccess } from '@/server/repos'

type Names = Pick<RepositoryWithAccess, 'owner' | 'repository'>

/** URLs of what is in a repository, in the API and on the site. Names and paths are display names. */
export interface CodeLinks {
  api(path: string): string
  commitApi(id: string): string
  commit(id: string): string
  /** Page of a file or directory. */
  page(revision: Revision, path: string): string
  raw(revision: Revision, path: string): string
}

/** Returns the functions that make the URLs of a repository. */
export function linksOf({ config }: Pick<ServiceCtx, 'config'>, { owner, repository }: Names): CodeLinks {
  const name = `${owner.name}/${repository.name}`
  const site = `${config.baseUrl}/${name}`
  const api = (path: string): string => `${config.baseUrl}/api/v1/repos/${name}/${path}`
  return {
    api,
    commitApi: id => api(`git/commits/${id}`),
    commit: id => `${site}/commit/${id}`,
    page: (revision, path) => `${site}/src/${at(revision, path)}`,
    raw: (revision, path) => `${site}/raw/${at(revision, path)}`,
  }
}

const at = ({ kind, name }: Revision, path: string): string =>
  `${kind}/${encodePath(name)}${path ? `/${encodePath(path)}` : ''}`

import { notFound, redirect } from 'next/navigation'
import { repositoryAt } from '@/app/_features/repos/read-repository'
import { decodeSegment, repositoryPath } from '@/app/_lib/paths'

interface RestPageProps {
  params: Promise<{ username: string; repo: string; rest: string[] }>
}

/** Redirects Gitea's repository URLs to the closest matching page of Guildhall; other URLs are not found. */
export default async function RestPage({ params }: RestPageProps): Promise<never> {
  const { username, repo, rest } = await params
  const { repository } = await repositoryAt(username, repo)
  const part = partOf(rest.join('/'), repository.default_branch)
  if (part === undefined) notFound()
  redirect(repositoryPath(repository) + part)
}

function partOf(path: string, defaultBranch: string): string | undefined {
  const [, kind = '', name = ''] = /^(?:src|commits|rss)\/(branch|tag)\/([^/]+)/.exec(path) ?? []
  if (kind === 'tag') return `/tags?q=${name}`
  if (kind === 'branch') return decodeSegment(name) === defaultBranch ? '' : `/branches?q=${name}`
  if (/^(src|raw|media|archive|find|search)(\/|$)/.test(path)) return ''
  if (/^(commits|commit|compare|graph)(\/|$)/.test(path)) return '/activity'
  const [, type] = /^settings\/hooks\/([a-z]+)\/new$/.exec(path) ?? []
  if (type) return `/settings/hooks/new?type=${type}`
  return new Map([
    ['settings/collaboration', '/settings/access'],
    ['settings/branches', '/branches'],
  ]).get(path)
}

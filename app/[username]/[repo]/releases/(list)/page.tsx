import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { CommandLine } from '@/app/_components/copy-button'
import { EmptyState } from '@/app/_components/empty-state'
import { RocketIcon } from '@/app/_components/icons'
import { ButtonLink } from '@/app/_components/links'
import { Pager } from '@/app/_components/pager'
import { QuerySelect, SearchBox } from '@/app/_components/query-controls'
import { FollowReleaseChecks, releaseStates } from '@/app/_features/releases/checks'
import { ReleaseCard } from '@/app/_features/releases/release-card'
import styles from '@/app/_features/releases/releases.module.css'
import { type RepositoryParams, requireReleases, titleOf } from '@/app/_features/repos/read-repository'
import { repositoryPath } from '@/app/_lib/paths'
import { caller, pageParam, type SearchParams, textParam } from '@/app/_lib/server'
import type { ReleaseCounts, ReleaseKind } from '@/server/releases/manage/schema'
import type { Repository } from '@/server/repos/schema'

interface ReleasesPageProps extends RepositoryParams {
  searchParams: SearchParams
}

export const generateMetadata = (props: RepositoryParams): Promise<Metadata> => titleOf(props, 'Releases')

const onPage = 10
const kinds: readonly ReleaseKind[] = ['all', 'stable', 'prerelease', 'draft']

export default async function ReleasesPage({ params, searchParams }: ReleasesPageProps): Promise<ReactNode> {
  const { repository } = await requireReleases(params)
  const [page, q, wanted] = await Promise.all([
    pageParam(searchParams),
    textParam(searchParams, 'q'),
    textParam(searchParams, 'kind'),
  ])
  const kind = kinds.find(one => one === wanted) ?? 'all'
  const {
    items,
    total,
    limit,
    counts,
    may_write: mayWrite,
  } = await (await caller()).releases.manage.browse({
    owner: repository.owner.login,
    repo: repository.name,
    page,
    limit: onPage,
    q,
    kind,
  })
  const hasAny = counts.stable + counts.prerelease + counts.draft > 0
  if (!hasAny) return <NoReleases repository={repository} mayWrite={mayWrite} />
  const states = await releaseStates(repository, items)

  return (
    <>
      <FollowReleaseChecks repository={repository} />
      <div className={styles.tools}>
        <SearchBox label="Find a release" q={q} />
        <QuerySelect label="Release type" name="kind" value={kind} choices={choicesOf(counts)} />
        {mayWrite ? (
          <ButtonLink href={repositoryPath(repository, 'releases/new')} variant="primary">
            New release
          </ButtonLink>
        ) : null}
      </div>
      {total === 0 ? (
        <EmptyState
          icon={RocketIcon}
          title="No matching releases"
          action={<ButtonLink href={repositoryPath(repository, 'releases')}>Show all releases</ButtonLink>}
        >
          <p>{q ? `No releases match “${q}”.` : 'There are no releases of this type.'}</p>
        </EmptyState>
      ) : (
        <div className={styles.cards}>
          {items.map(release => (
            <ReleaseCard
              key={release.id}
              repository={repository}
              release={release}
              states={states}
              mayWrite={mayWrite}
            />
          ))}
        </div>
      )}
      <Pager label="Pages of releases" page={page} limit={limit} total={total} />
    </>
  )
}

function choicesOf({ stable, prerelease, draft }: ReleaseCounts): { value: ReleaseKind; label: string }[] {
  return [
    { value: 'all', label: `All (${stable + prerelease + draft})` },
    { value: 'stable', label: `Releases (${stable})` },
    { value: 'prerelease', label: `Pre-releases (${prerelease})` },
    ...(draft > 0 ? [{ value: 'draft' as const, label: `Drafts (${draft})` }] : []),
  ]
}

function NoReleases({ repository, mayWrite }: { repository: Repository; mayWrite: boolean }): ReactNode {
  if (!mayWrite) {
    return (
      <EmptyState icon={RocketIcon} title="No releases yet">
        <p>Published releases, with their notes and downloads, will appear here.</p>
      </EmptyState>
    )
  }
  if (repository.empty) {
    return (
      <EmptyState
        icon={RocketIcon}
        title="No releases yet"
        action={<ButtonLink href={repositoryPath(repository)}>See how to push</ButtonLink>}
      >
        <p>A release points to a commit. Push a commit first.</p>
      </EmptyState>
    )
  }
  return (
    <EmptyState
      icon={RocketIcon}
      title="No releases yet"
      action={
        <ButtonLink href={repositoryPath(repository, 'releases/new')} variant="primary">
          New release
        </ButtonLink>
      }
    >
      <p>
        A release adds notes and downloadable files to a tagged version. Create a tag on the release form, or
        push one:
      </p>
      <CommandLine command={'git tag v1.0\ngit push origin v1.0'} what="commands" />
    </EmptyState>
  )
}

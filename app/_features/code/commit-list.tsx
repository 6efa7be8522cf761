import type { ReactNode } from 'react'
import { CommitId } from '@/app/_components/commit-id'
import { CommitMark } from '@/app/_components/commit-mark'
import { EmptyState } from '@/app/_components/empty-state'
import { CodeSquareIcon, GitCommitIcon } from '@/app/_components/icons'
import { ButtonLink, QuietLink } from '@/app/_components/links'
import { RelativeDate } from '@/app/_components/relative-date'
import { codePath, commitPath, commitsPath } from '@/app/_lib/paths'
import type { CommitLine, CommitListPage } from '@/server/code/pages/schema'
import type { Repository } from '@/server/repos/schema'
import type { CommitStates } from '@/server/statuses/schema'
import { Author, AuthorMark } from './author'
import { AuthorFilter } from './author-filter'
import styles from './code.module.css'
import { CodeHeader } from './code-header'

interface CommitListProps {
  repository: Repository
  page: CommitListPage
  /** The author whose commits are listed, as people entered it; empty for all. */
  author: string
  states: CommitStates
}

/** History of a revision, or of a file or directory, by days. */
export function CommitList({ repository, page, author, states }: CommitListProps): ReactNode {
  const { revision, path, commits, total, page: number, limit } = page
  const base = codePath(repository, 'commits', revision, path)
  const hasMore = total === null ? commits.length === limit : number * limit < total
  return (
    <>
      <CodeHeader repository={repository} page={{ revision, path, commits: null }} section="commits" />
      <AuthorFilter base={base} author={author} known={authorsOf(commits)} />
      {commits.length === 0 ? <NoCommits base={base} author={author} path={path} page={number} /> : null}
      {byDay(commits).map(([day, lines]) => (
        <section key={day} aria-label={day} className={styles.day}>
          <h2 className={styles.dayTitle}>Commits on {day}</h2>
          <ol className={styles.box}>
            {lines.map(line => (
              <CommitRow key={line.sha} repository={repository} line={line} path={path} states={states} />
            ))}
          </ol>
        </section>
      ))}
      <nav aria-label="Pages" className={styles.pages}>
        {number > 1 ? <ButtonLink href={commitsPath(base, author, number - 1)}>Newer</ButtonLink> : null}
        {hasMore ? <ButtonLink href={commitsPath(base, author, number + 1)}>Older</ButtonLink> : null}
        {total === null ? null : (
          <span className={styles.muted}>
            {total.toLocaleString('en-US')} {total === 1 ? 'commit' : 'commits'}
          </span>
        )}
      </nav>
    </>
  )
}

const authorsOf = (commits: readonly CommitLine[]): string[] =>
  [...new Set(commits.map(({ username, author }) => username ?? author))].filter(Boolean).sort()

interface NoCommitsProps {
  base: string
  author: string
  path: string
  page: number
}

function NoCommits({ base, author, path, page }: NoCommitsProps): ReactNode {
  const what = path ? ' that changed this path' : ''
  if (page > 1) {
    return (
      <EmptyState
        icon={GitCommitIcon}
        title="No more commits"
        action={<ButtonLink href={commitsPath(base, author)}>First page</ButtonLink>}
      >
        <p>The history ends before this page.</p>
      </EmptyState>
    )
  }
  return author ? (
    <EmptyState
      icon={GitCommitIcon}
      title="No matching commits"
      action={<ButtonLink href={base}>Show commits of all authors</ButtonLink>}
    >
      <p>
        No commits by “<bdi>{author}</bdi>”{what}. People who hide their email address are found by the
        addresses in their commits.
      </p>
    </EmptyState>
  ) : (
    <EmptyState icon={GitCommitIcon} title="No commits">
      <p>There are no commits{what}.</p>
    </EmptyState>
  )
}

interface CommitRowProps {
  repository: Repository
  line: CommitLine
  path: string
  states: CommitStates
}

function CommitRow({ repository, line, path, states }: CommitRowProps): ReactNode {
  const { sha, summary, time } = line
  return (
    <li className={styles.commit}>
      <div className={styles.commitMain}>
        <strong>
          <QuietLink href={commitPath(repository, sha)}>
            <bdi>{summary || 'No message'}</bdi>
          </QuietLink>
        </strong>
        <p className={styles.byline}>
          <AuthorMark line={line} />
          <Author line={line} /> <RelativeDate value={time} />
        </p>
      </div>
      <div className={styles.tipFacts}>
        <CommitMark repository={repository} sha={sha} states={states} />
        <CommitId repository={repository} sha={sha} copy />
        <QuietLink
          href={codePath(repository, 'src', { kind: 'commit', name: sha }, path)}
          name={`Browse the code at ${sha.slice(0, 10)}`}
        >
          <CodeSquareIcon />
        </QuietLink>
      </div>
    </li>
  )
}

const dayForm = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' })

function byDay(commits: readonly CommitLine[]): [day: string, lines: CommitLine[]][] {
  const days: [string, CommitLine[]][] = []
  for (const line of commits) {
    const day = dayForm.format(new Date(line.time))
    const last = days.at(-1)
    if (last?.[0] === day) last[1].push(line)
    else days.push([day, [line]])
  }
  return days
}

'use client'
import type { ReactNode } from 'react'
import { CommitId } from '@/app/_components/commit-id'
import { QuietLink } from '@/app/_components/links'
import { RelativeDate } from '@/app/_components/relative-date'
import { commitPath } from '@/app/_lib/paths'
import type { CommitLine } from '@/server/code/pages/schema'
import { Author, AuthorMark } from './author'
import styles from './code.module.css'

interface ComparedCommitsProps {
  repository: { full_name: string }
  commits: readonly CommitLine[]
}

/** Commits of a comparison. A client component, because its elements would be several times as long in the page's data. */
export function ComparedCommits({ repository, commits }: ComparedCommitsProps): ReactNode {
  return commits.map(line => (
    <li key={line.sha} className={styles.commit}>
      <div className={styles.commitMain}>
        <QuietLink href={commitPath(repository, line.sha)}>
          <bdi>{line.summary || 'No message'}</bdi>
        </QuietLink>
        <p className={styles.byline}>
          <AuthorMark line={line} />
          <Author line={line} /> <RelativeDate value={line.time} />
        </p>
      </div>
      <CommitId repository={repository} sha={line.sha} />
    </li>
  ))
}

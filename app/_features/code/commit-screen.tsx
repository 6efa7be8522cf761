import type { ReactNode } from 'react'
import { CopyButton } from '@/app/_components/copy-button'
import { CodeSquareIcon } from '@/app/_components/icons'
import { ButtonLink, QuietLink } from '@/app/_components/links'
import { RelativeDate } from '@/app/_components/relative-date'
import { NewBranchButton } from '@/app/_features/repos/refs/ref-buttons'
import { codePath, commitPath } from '@/app/_lib/paths'
import type { Diff } from '@/server/code/diff/schema'
import type { CommitPage } from '@/server/code/pages/schema'
import type { Repository } from '@/server/repos/schema'
import type { CombinedStatus } from '@/server/statuses/schema'
import { Author, AuthorMark } from './author'
import styles from './code.module.css'
import { CommitChecks } from './commit-checks'
import { DiffView } from './diff/diff-view'
import { diffLinks } from './diff-links'
import { type DiffChoice, DiffOptions } from './diff-options'

interface CommitScreenProps {
  repository: Repository
  page: CommitPage & { diff: Diff }
  status: CombinedStatus
  mayPush: boolean
  choice: DiffChoice & { files: readonly string[] }
}

/** A commit: its message, who made it and when, and what it changed. */
export function CommitScreen({ repository, page, status, mayPush, choice }: CommitScreenProps): ReactNode {
  const { line, body, parents, authored, committer, isSigned, diff } = page
  const base = commitPath(repository, line.sha)
  return (
    <>
      <div className={styles.commitHead}>
        <div className={styles.commitTitleRow}>
          <h1 className={styles.commitTitle}>
            <bdi>{line.summary || 'No message'}</bdi>
          </h1>
          <span className={styles.commitActions}>
            {mayPush ? (
              <NewBranchButton
                path={{ owner: repository.owner.login, repo: repository.name }}
                source={line.sha}
                size="medium"
                opens
              />
            ) : null}
            <ButtonLink href={codePath(repository, 'src', { kind: 'commit', name: line.sha })}>
              <CodeSquareIcon /> Browse files
            </ButtonLink>
          </span>
        </div>
        {body ? (
          <pre className={styles.message}>
            <bdi>{body}</bdi>
          </pre>
        ) : null}
        <div className={styles.commitFacts}>
          <span className={styles.byline}>
            <AuthorMark line={line} />
            <strong>
              <Author line={line} />
            </strong>
            <span>
              authored <RelativeDate value={authored} />
            </span>
            {committer === null ? null : (
              <span>
                · <bdi>{committer}</bdi> committed <RelativeDate value={line.time} />
              </span>
            )}
            {isSigned ? <span>· signed, not verified</span> : null}
          </span>
          <span className={styles.tipFacts}>
            {parents.length > 0 ? (
              <>
                {parents.length === 1 ? 'Parent' : 'Parents'}
                {parents.map(parent => (
                  <QuietLink
                    key={parent}
                    href={commitPath(repository, parent)}
                    name={`Parent ${parent.slice(0, 10)}`}
                  >
                    <code>{parent.slice(0, 10)}</code>
                  </QuietLink>
                ))}
              </>
            ) : (
              'No parent'
            )}
            <span>
              Commit <code>{line.sha.slice(0, 10)}</code>
            </span>
            <CopyButton text={line.sha} what="commit ID" />
          </span>
        </div>
      </div>
      <CommitChecks status={status} />
      <DiffOptions base={base} choice={choice} text={base} />
      <DiffView
        diff={diff}
        view={choice.view}
        links={diffLinks({ repository, base, choice, head: { kind: 'commit', name: line.sha } })}
      />
    </>
  )
}

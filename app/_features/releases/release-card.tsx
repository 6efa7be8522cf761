import type { ReactNode } from 'react'
import { CommitId } from '@/app/_components/commit-id'
import { CommitMark } from '@/app/_components/commit-mark'
import { CopyButton } from '@/app/_components/copy-button'
import { GitCommitIcon, PencilIcon, TagIcon, WorkflowIcon } from '@/app/_components/icons'
import { Label } from '@/app/_components/label'
import { ButtonLink, QuietLink } from '@/app/_components/links'
import { Markdown } from '@/app/_components/markdown'
import { RelativeDate } from '@/app/_components/relative-date'
import { UserAvatar } from '@/app/_components/user-avatar'
import { counted } from '@/app/_lib/format'
import { comparePath, releasePath } from '@/app/_lib/paths'
import { visibleLine } from '@/app/_lib/visible-text'
import type { ShownRelease } from '@/server/releases/manage/schema'
import type { Repository } from '@/server/repos/schema'
import type { CommitStates } from '@/server/statuses/schema'
import { ReleaseFiles } from './release-files'
import styles from './releases.module.css'

interface ReleaseCardProps {
  repository: Repository
  release: ShownRelease
  /** States of the checks of commits. */
  states: CommitStates
  mayWrite: boolean
  /** Whether the card is on the release's own page, which shows the complete notes and all files. */
  alone?: boolean
}

/** Card with a release's title, notes, and files. */
export function ReleaseCard({
  repository,
  release,
  states,
  mayWrite,
  alone = false,
}: ReleaseCardProps): ReactNode {
  const { tag_name: tag, title, body_html: html, body_is_cut: isCut } = release
  return (
    <article className={styles.card} aria-label={title}>
      <header className={styles.head}>
        <div className={styles.titleRow}>
          <h2 className={styles.title}>
            <bdi>{alone ? title : <QuietLink href={releasePath(repository, tag)}>{title}</QuietLink>}</bdi>
          </h2>
          <ReleaseLabels release={release} />
          {mayWrite ? (
            <span className={styles.edit}>
              <ButtonLink href={releasePath(repository, tag, 'edit')} size="small">
                <PencilIcon /> Edit <span className="visually-hidden">{title}</span>
              </ButtonLink>
            </span>
          ) : null}
        </div>
        <ReleaseFacts repository={repository} release={release} states={states} />
      </header>
      {html || isCut ? (
        <div className={styles.body}>
          {html ? <Markdown html={html} /> : null}
          {isCut ? (
            <p className={styles.more}>
              <QuietLink href={releasePath(repository, tag)}>
                Read more <span className="visually-hidden">about {title}</span>
              </QuietLink>
            </p>
          ) : null}
        </div>
      ) : null}
      <ReleaseFiles repository={repository} release={release} alone={alone} />
    </article>
  )
}

function ReleaseLabels({ release }: { release: ShownRelease }): ReactNode {
  if (release.draft) return <Label variant="severe">Draft</Label>
  if (release.prerelease) return <Label variant="attention">Pre-release</Label>
  return release.is_latest ? <Label variant="success">Latest</Label> : null
}

function ReleaseFacts({
  repository,
  release,
  states,
}: Pick<ReleaseCardProps, 'repository' | 'release' | 'states'>): ReactNode {
  const branch = repository.default_branch
  const { commits_since: since } = release
  const { author, by_run: run, draft, created_at: created, tag_name: tag, sha, target } = release
  return (
    <p className={styles.facts}>
      <span className={styles.fact}>
        {author ? (
          <>
            <UserAvatar id={author.id} size={20} />
            <QuietLink href={`/${author.login}`}>{author.login}</QuietLink>
          </>
        ) : (
          <span>Deleted account</span>
        )}
        <span>
          {draft ? 'drafted this' : 'released this'} <RelativeDate value={created} />
        </span>
      </span>
      {run ? <RunFact run={run} isDraft={draft} /> : null}
      <span className={styles.fact}>
        <TagIcon /> <bdi className={styles.word}>{tag}</bdi> <CopyButton text={tag} what="tag" />
      </span>
      {sha ? (
        <span className={styles.fact}>
          <GitCommitIcon /> <CommitId repository={repository} sha={sha} copy />
          <CommitMark repository={repository} sha={sha} states={states} />
        </span>
      ) : draft && target ? (
        <span className={styles.fact}>
          <GitCommitIcon />{' '}
          <span className={styles.word}>
            Tag will be created from{' '}
            {/^[0-9a-f]{40,64}$/.test(target) ? (
              <CommitId repository={repository} sha={target} />
            ) : (
              <bdi>{target}</bdi>
            )}
          </span>
        </span>
      ) : null}
      {since ? (
        <span className={styles.fact}>
          <span className={styles.word}>
            <QuietLink href={comparePath(repository, tag, branch)}>
              {counted(since, 'commit', 'commits')}
            </QuietLink>{' '}
            to <bdi>{branch}</bdi> since this release
          </span>
        </span>
      ) : null}
    </p>
  )
}

interface RunFactProps {
  run: NonNullable<ShownRelease['by_run']>
  isDraft: boolean
}

function RunFact({ run: { number, workflow }, isDraft }: RunFactProps): ReactNode {
  return (
    <span className={styles.fact}>
      <WorkflowIcon />{' '}
      <span className={styles.word}>
        by a job in run #{number} of <bdi>{visibleLine(workflow)}</bdi>
        {isDraft ? '' : ', so it started no workflows'}
      </span>
    </span>
  )
}

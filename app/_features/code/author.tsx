import type { ReactNode } from 'react'
import { GitCommitIcon } from '@/app/_components/icons'
import { QuietLink } from '@/app/_components/links'
import type { CommitLine } from '@/server/code/pages/schema'
import styles from './code.module.css'

/** Picture of a commit's author, or an icon if they have no account that shows their email address. */
export function AuthorMark({ line: { avatar } }: { line: CommitLine }): ReactNode {
  return avatar ? (
    // biome-ignore lint/performance/noImgElement: avatars are small files of our own
    <img src={avatar} alt="" width={20} height={20} className={styles.avatar} />
  ) : (
    <GitCommitIcon className={styles.mark} />
  )
}

/** Name of a commit's author, with a link to their profile if they have an account that shows their email address. */
export function Author({ line: { author, username } }: { line: CommitLine }): ReactNode {
  const name = <bdi>{author || 'Unknown'}</bdi>
  return username ? <QuietLink href={`/${username}`}>{name}</QuietLink> : name
}

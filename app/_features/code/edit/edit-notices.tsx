'use client'
import type { ReactNode } from 'react'
import { Banner } from '@/app/_components/banner'
import form from '@/app/_components/form.module.css'
import { Button } from '@/app/_components/primer'
import { RelativeDate } from '@/app/_components/relative-date'
import { visibleLine } from '@/app/_lib/visible-text'
import styles from './edit.module.css'
import type { FileNews } from './use-file-news'
import type { FileText } from './use-file-text'

/** Offers the text that was typed on an earlier visit and never committed. */
export function DraftNotice({ file: { found, base, restore, discard } }: { file: FileText }): ReactNode {
  if (!found) return null
  const isOld = found.base !== base.id
  return (
    <Banner
      className={styles.notice}
      title="You have changes that weren’t committed"
      description={
        <>
          <p>
            This browser kept them <RelativeDate value={new Date(found.at).toISOString()} />.
            {isOld ? ' The file has changed since, and you’ll see both versions before you commit.' : ''}
          </p>
          <p>
            If you type something else first, this browser keeps that instead, and you can restore these
            changes only until you leave the page.
          </p>
          <div className={form.actions}>
            <Button size="small" variant="primary" onClick={() => void restore()}>
              Restore your unsaved changes
            </Button>
            <Button size="small" onClick={discard}>
              Discard
            </Button>
          </div>
        </>
      }
    />
  )
}

interface NewsNoticeProps {
  news: FileNews
  branch: string
  /** Why the newer version cannot be shown. */
  problem?: string | undefined
  /** Shows the newer version of a file that was changed. */
  onReview?: (() => void) | undefined
}

/** Says what others have done to the file meanwhile. */
export function NewsNotice({ news, branch, problem, onReview }: NewsNoticeProps): ReactNode {
  const name = <bdi>{visibleLine(branch)}</bdi>
  return (
    <div role="status">
      {news === undefined ? null : (
        <Banner
          className={styles.notice}
          variant="warning"
          title={
            news === 'changed'
              ? 'This file has changed'
              : news === 'deleted'
                ? 'This file was deleted'
                : 'The branch was deleted'
          }
          description={
            news === 'changed' ? (
              <>
                <p>
                  There is a newer version on {name}.{' '}
                  {onReview ? 'Look at it before you commit.' : 'Reload the page to delete that one.'}
                </p>
                {problem ? <p>{problem}</p> : null}
                {onReview ? (
                  <div className={form.actions}>
                    <Button size="small" onClick={onReview}>
                      Show the newer version
                    </Button>
                  </div>
                ) : null}
              </>
            ) : news === 'deleted' ? (
              <>
                It no longer exists on {name}.{onReview ? ' If you commit, it’s added again.' : ''}
              </>
            ) : onReview ? (
              'Copy your text before you leave this page.'
            ) : undefined
          }
        />
      )}
    </div>
  )
}

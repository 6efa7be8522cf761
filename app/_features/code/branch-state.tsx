'use client'
import { type ReactNode, useRef, useState } from 'react'
import { TextLink } from '@/app/_components/links'
import { Button } from '@/app/_components/primer'
import styles from './branch-state.module.css'

interface BranchStateProps {
  branch: string
  /** The newest commit; null if the branch does not exist. */
  commit: string | null
  /** Path of the repository's home page. */
  home: string
  children: ReactNode
}

/**
 * Shows a page about a branch, and keeps what is read when the page is refreshed after the branch has moved: it offers
 * the new state instead.
 */
export function BranchState({ branch, commit, home, children }: BranchStateProps): ReactNode {
  const [kept, keep] = useState({ branch, commit, children })
  const slot = useRef<HTMLDivElement>(null)
  const isNew = kept.commit === null || kept.commit === commit
  if (isNew && kept.children !== children) keep({ branch, commit, children })
  const show = (): void => {
    keep({ branch, commit, children })
    // The button is removed. The next Tab goes to the content.
    slot.current?.focus({ preventScroll: true })
  }
  return (
    <>
      <div ref={slot} role="status" tabIndex={-1} className={styles.slot}>
        {isNew ? null : (
          <div className={styles.offer}>
            <span className={styles.text}>
              {commit === null ? (
                <>
                  The branch <bdi>{kept.branch}</bdi> was deleted. This is its last state.
                </>
              ) : (
                <>
                  <bdi>{kept.branch}</bdi> has new commits.
                </>
              )}
            </span>
            {commit === null ? (
              <TextLink href={home}>Go to the default branch</TextLink>
            ) : (
              <Button size="small" onClick={show}>
                Show them
              </Button>
            )}
          </div>
        )}
      </div>
      {isNew ? children : kept.children}
    </>
  )
}

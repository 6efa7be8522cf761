'use client'
import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { ChevronDownIcon, ChevronUpIcon } from '@/app/_components/icons'
import { PageLink } from '@/app/_components/page-link'
import { Button } from '@/app/_components/primer'
import { jobPath } from '@/app/_lib/paths'
import { visibleLine } from '@/app/_lib/visible-text'
import type { ShownJob } from '@/server/actions/runs/schema'
import styles from './job-screen.module.css'
import { OutcomeSign } from './outcome-sign'
import { outcomeOf } from './progress'

interface JobNavProps {
  repository: { full_name: string }
  run: number
  jobs: readonly ShownJob[]
  current: number
}

/** Navigation between a run's jobs. In a narrow window, it is behind a button. */
export function JobNav({ repository, run, jobs, current }: JobNavProps): ReactNode {
  const list = useRef<HTMLUListElement>(null)
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    const box = list.current
    const link = box?.querySelector<HTMLElement>(`[href$="/jobs/${current}"]`)
    // Scrolls only the list and not the page.
    if (box && link && link.offsetTop + link.offsetHeight > box.scrollTop + box.clientHeight)
      box.scrollTop = link.offsetTop - box.clientHeight / 2
  }, [current])
  return (
    <nav className={styles.nav} aria-label="Jobs in this run">
      <span className={styles.navToggle}>
        <Button
          size="small"
          trailingVisual={isOpen ? ChevronUpIcon : ChevronDownIcon}
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setOpen(!isOpen)}
        >
          Other jobs
        </Button>
      </span>
      <ul ref={list} id={id} className={styles.jobs} data-open={isOpen || undefined}>
        {jobs.map(job => (
          <li key={job.id}>
            <PageLink
              href={jobPath(repository, run, job.id)}
              className={styles.job}
              aria-current={job.id === current ? 'page' : undefined}
            >
              <OutcomeSign outcome={outcomeOf(job)} />
              <span className={styles.jobName}>
                <bdi>{visibleLine(job.name)}</bdi>
              </span>
            </PageLink>
          </li>
        ))}
      </ul>
    </nav>
  )
}

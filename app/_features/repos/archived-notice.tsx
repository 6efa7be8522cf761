'use client'
import type { ReactNode } from 'react'
import { Banner } from '@/app/_components/primer'
import { RelativeDate } from '@/app/_components/relative-date'
import styles from './repository.module.css'

export function ArchivedNotice({ since }: { since: string }): ReactNode {
  return (
    <Banner
      className={styles.notice}
      variant="warning"
      title="This repository is archived"
      description={
        <>
          Archived <RelativeDate value={since} />. It can be read and cloned, and nobody can push to it.
        </>
      }
    />
  )
}

'use client'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { SkeletonBox } from '@/app/_components/primer'
import { readFailure } from '@/app/_lib/failure'
import type { RepoPath } from '@/app/_lib/paths'
import { accessQuery } from '@/app/_lib/queries'
import { AccessExplained } from './access-explained'
import type { ExplainedRepository } from './access-labels'
import styles from './access-page.module.css'

interface WhyAnswerProps {
  path: RepoPath
  username: string
  subject: ExplainedRepository
}

export function WhyAnswer({ path, username, subject }: WhyAnswerProps): ReactNode {
  const { data, error } = useQuery(accessQuery(path, username))
  if (error) {
    const { kind, message } = readFailure(error)
    return (
      <p role="alert" className={styles.answer}>
        {kind === 'notFound' ? `There is nobody called “${username}” here.` : message}
      </p>
    )
  }
  return (
    <div className={styles.answer} aria-busy={!data}>
      {data ? <AccessExplained explanation={data} subject={subject} /> : <SkeletonBox height="24px" />}
    </div>
  )
}

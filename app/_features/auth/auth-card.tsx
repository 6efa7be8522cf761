import type { ReactNode } from 'react'
import { GuildMark } from '@/app/_components/guild-mark'
import styles from './auth.module.css'

interface AuthCardProps {
  title: string
  lead?: string
  below?: ReactNode
  children: ReactNode
}

/** Logo, title, and card shared by the pages for setup, registration, sign-in, and sign-out. */
export function AuthCard({ title, lead, below, children }: AuthCardProps): ReactNode {
  return (
    <>
      <div className={styles.top}>
        <GuildMark size={48} />
        <h1 className={styles.title}>{title}</h1>
        {lead ? <p className={styles.lead}>{lead}</p> : null}
      </div>
      <div className={styles.card}>{children}</div>
      {below ? <div className={styles.below}>{below}</div> : null}
    </>
  )
}

import type { ReactNode } from 'react'
import { GuildMark } from './guild-mark'
import styles from './message.module.css'

interface MessageProps {
  title: string
  children: ReactNode
  action: ReactNode
}

/** Full page with a single message. */
export function Message({ title, children, action }: MessageProps): ReactNode {
  return (
    <div className={styles.message}>
      <GuildMark size={56} />
      <h1 className={styles.title}>{title}</h1>
      <div className={styles.text}>{children}</div>
      {action}
    </div>
  )
}

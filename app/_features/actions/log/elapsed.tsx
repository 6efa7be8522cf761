'use client'
import { type ReactNode, useEffect, useState } from 'react'
import { durationText } from '../progress'
import styles from './log-viewer.module.css'

interface ElapsedProps {
  started_at: string | null
  completed_at: string | null
}

/** Shows how long something took or has been running. Renders nothing if it has not started. */
export function Elapsed({ started_at, completed_at }: ElapsedProps): ReactNode {
  const isRunning = started_at !== null && completed_at === null
  const [now, setNow] = useState<number>()
  useEffect(() => {
    if (!isRunning) return
    setNow(Date.now())
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [isRunning])
  const end = completed_at === null ? now : Date.parse(completed_at)
  if (started_at === null || end === undefined) return null
  return <span className={styles.elapsed}>{durationText((end - Date.parse(started_at)) / 1000)}</span>
}

'use client'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import styles from './edit.module.css'

interface ChangesViewProps {
  original: string
  text: string
  name: string
}

/** How the text differs from the file. */
export function ChangesView({ original, text, name }: ChangesViewProps): ReactNode {
  const holder = useRef<HTMLDivElement>(null)
  const [isFailed, setFailed] = useState(false)
  const isSame = original === text
  useEffect(() => {
    if (isSame) return
    let isOver = false
    let end: (() => void) | undefined
    const begin = async (): Promise<void> => {
      const { showChanges } = await import('./codemirror/compare')
      if (isOver || !holder.current) return
      const comparison = await showChanges({ parent: holder.current, original, text, name })
      if (isOver) comparison.destroy()
      else end = comparison.destroy
    }
    begin().catch(() => setFailed(true))
    return () => {
      isOver = true
      end?.()
    }
  }, [original, text, name, isSame])
  if (isSame) return <p className={styles.empty}>The text hasn’t been changed.</p>
  if (isFailed)
    return <p className={styles.empty}>The changes couldn’t be shown. Check your connection and try again.</p>
  return <div ref={holder} className={styles.changes} />
}

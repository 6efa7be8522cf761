'use client'
import { CheckIcon, CopyIcon } from '@primer/octicons-react'
import { type ReactNode, useEffect, useState } from 'react'
import { copyText } from '@/app/_lib/copy-text'
import styles from './copy-button.module.css'
import { IconButton } from './primer'

interface CopyButtonProps {
  text: string
  /** What is copied, as in "Copy fingerprint". */
  what: string
}

export function CopyButton({ text, what }: CopyButtonProps): ReactNode {
  const [copied, setCopied] = useState(false)

  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), 2000)
    return () => clearTimeout(timer)
  }, [copied])

  return (
    <span className={styles.copy}>
      <IconButton
        icon={copied ? CheckIcon : CopyIcon}
        aria-label={`Copy ${what}`}
        size="small"
        variant="invisible"
        className={copied ? styles.done : undefined}
        onClick={() => void copyText(text).then(() => setCopied(true))}
      />
      <span role="status" className={styles.word}>
        {copied ? 'Copied' : ''}
      </span>
    </span>
  )
}

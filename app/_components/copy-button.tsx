'use client'
import { type ReactNode, useEffect, useState } from 'react'
import { CheckIcon, CopyIcon, type Icon } from '@/app/_components/icons'
import styles from './copy-button.module.css'
import { LightIconButton } from './light-button'
import { Button } from './primer'
import { tooltipProps } from './tooltip'

interface CopyButtonProps {
  text: string
  /** What is copied, as in "Copy fingerprint". */
  what: string
  icon?: Icon
}

export function CopyButton({ text, what, icon = CopyIcon }: CopyButtonProps): ReactNode {
  const [copied, copy] = useCopied(text)
  const Visual = copied ? CheckIcon : icon
  return (
    <span className={styles.copy}>
      <LightIconButton
        size="small"
        className={copied ? styles.done : undefined}
        aria-label={`Copy ${what}`}
        onClick={copy}
        {...tooltipProps}
      >
        <Visual />
      </LightIconButton>
      <span role="status" className={styles.word}>
        {copied ? 'Copied' : ''}
      </span>
    </span>
  )
}

/** Copy button with a label, for text that is not visible next to it. */
export function CopyTextButton({ text, label }: { text: string; label: string }): ReactNode {
  const [copied, copy] = useCopied(text)
  return (
    <span className={styles.copy}>
      <Button size="small" leadingVisual={copied ? CheckIcon : CopyIcon} onClick={copy}>
        {label}
      </Button>
      <span role="status" className={styles.word}>
        {copied ? 'Copied' : ''}
      </span>
    </span>
  )
}

/** Returns whether the text was just copied, and a function that copies it. */
function useCopied(text: string): [copied: boolean, copy: () => void] {
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), 2000)
    return () => clearTimeout(timer)
  }, [copied])
  return [copied, () => void copyText(text).then(() => setCopied(true))]
}

/**
 * Copies a text to the clipboard. The fallback is for sites without HTTPS, where browsers hide the clipboard
 * API.
 */
export async function copyText(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text)
  const holder = document.createElement('textarea')
  holder.value = text
  holder.style.cssText = 'position:fixed;opacity:0'
  document.body.append(holder)
  holder.select()
  document.execCommand('copy')
  holder.remove()
}

interface CommandLineProps {
  command: string
  /** What is copied, for the button's label. */
  what?: string
}

/** Command to run elsewhere, or another text, with a button that copies all of it. */
export function CommandLine({ command, what = 'command' }: CommandLineProps): ReactNode {
  return (
    <div className={styles.line}>
      <code className={styles.text}>{command}</code>
      <CopyButton text={command} what={what} />
    </div>
  )
}

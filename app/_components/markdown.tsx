import type { ReactNode } from 'react'
import styles from './markdown.module.css'

/** A text that the server has formatted from Markdown, and cleaned. */
export function Markdown({ html }: { html: string }): ReactNode {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: renderMarkdown of the server leaves nothing that runs
  return <div className={styles.text} dir="auto" dangerouslySetInnerHTML={{ __html: html }} />
}

import type { ReactNode } from 'react'
import styles from './markdown.module.css'

/** Class of text that the server has rendered from Markdown. */
export const markdownClass: string | undefined = styles.text

/** Text that the server has rendered from Markdown and sanitized. */
export function Markdown({ html }: { html: string }): ReactNode {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: renderMarkdown of the server leaves nothing that runs
  return <div className={styles.text} dir="auto" dangerouslySetInnerHTML={{ __html: html }} />
}

'use client'
import type { ReactNode } from 'react'
import { CopyButton } from '@/app/_components/copy-button'
import { visibleLine } from '@/app/_lib/visible-text'
import styles from './message-view.module.css'
import { readableBody } from './request-text'

interface MessageViewProps {
  /** Heading, such as "Request". */
  title: string
  /** Distinguishes several messages on a page, such as "attempt 1". */
  of: string
  /** Facts shown next to the title. */
  facts: ReactNode
  headers: Readonly<Record<string, string>>
  body: string
  /** Whether only the start of the body was stored. */
  isTruncated?: boolean
}

/** Shows one HTTP request or response, whose content can come from an untrusted sender. */
export function MessageView(props: MessageViewProps): ReactNode {
  const { title, of, facts, headers, body, isTruncated = false } = props
  const entries = Object.entries(headers)
  const { text, isCut } = readableBody(body, contentTypeOf(headers))
  return (
    <section className={styles.message} aria-label={`${title} for ${of}`}>
      <div className={styles.head}>
        <strong className={styles.title}>{title}</strong>
        <span className={styles.facts}>{facts}</span>
      </div>
      {entries.length === 0 ? null : (
        <details>
          <summary className={styles.summary}>{`Headers (${entries.length})`}</summary>
          <dl className={styles.headers}>
            {entries.map(([name, value]) => (
              <div key={name}>
                <dt>{visibleLine(name)}:</dt> <dd dir="auto">{visibleLine(value)}</dd>
              </div>
            ))}
          </dl>
        </details>
      )}
      {body === '' ? (
        <p className={styles.none}>No body.</p>
      ) : (
        <div className={styles.body}>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard has no other way to scroll it */}
          <section className={styles.scroll} tabIndex={0} aria-label={`${title} body for ${of}`}>
            <pre dir="auto">{text}</pre>
          </section>
          <span className={styles.copy}>
            <CopyButton text={body} what={`${title.toLowerCase()} body`} />
          </span>
        </div>
      )}
      {isTruncated ? (
        <p className={styles.none}>Only the first 64 KiB was stored.</p>
      ) : isCut ? (
        <p className={styles.none}>Only the beginning is shown. To get the full body, copy it.</p>
      ) : null}
    </section>
  )
}

function contentTypeOf(headers: Readonly<Record<string, string>>): string {
  return Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? ''
}

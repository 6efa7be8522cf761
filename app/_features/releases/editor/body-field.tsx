'use client'
import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import { TextareaField } from '@/app/_components/fields'
import type { RepoPath } from '@/app/_lib/paths'
import { useLazyComponent } from '@/app/_lib/workarounds/use-lazy-component'
import styles from './editor.module.css'
import type { ReleaseValues } from './release-values'

const tabs = ['Write', 'Preview'] as const

const loadPreview = async () => (await import('./preview')).Preview

interface BodyFieldProps {
  path: RepoPath
  form: UseFormReturn<ReleaseValues>
}

/** Text field for release notes, with a preview tab. */
export function BodyField({ path, form }: BodyFieldProps): ReactNode {
  const id = useId()
  const [shown, setShown] = useState<(typeof tabs)[number]>('Write')
  const Preview = useLazyComponent(loadPreview, shown === 'Preview')
  const buttons = useRef<(HTMLButtonElement | null)[]>([])
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return
    const next = shown === 'Write' ? 1 : 0
    setShown(tabs[next])
    buttons.current[next]?.focus()
  }
  return (
    <div>
      <div role="tablist" aria-label="Notes" className={styles.tabs} onKeyDown={onKeyDown}>
        {tabs.map((tab, index) => (
          <button
            key={tab}
            ref={button => {
              buttons.current[index] = button
            }}
            type="button"
            role="tab"
            id={`${id}-${tab}`}
            aria-selected={tab === shown}
            aria-controls={`${id}-panel`}
            tabIndex={tab === shown ? 0 : -1}
            className={styles.tabButton}
            onClick={() => setShown(tab)}
          >
            {tab}
          </button>
        ))}
      </div>
      <div
        role="tabpanel"
        id={`${id}-panel`}
        aria-labelledby={`${id}-${shown}`}
        className={styles.panel}
        tabIndex={shown === 'Preview' ? 0 : undefined}
      >
        {/* Stays mounted to keep the browser’s undo history. */}
        <div hidden={shown !== 'Write'}>
          <TextareaField
            label="Notes"
            optional
            rows={12}
            placeholder="What’s new, what’s fixed, and what to watch out for"
            caption="Supports Markdown with tables, task lists, and basic HTML."
            error={form.formState.errors.body?.message}
            {...form.register('body')}
          />
        </div>
        {shown === 'Preview' && Preview ? <Preview path={path} form={form} /> : null}
      </div>
    </div>
  )
}

'use client'
import { SearchIcon } from '@primer/octicons-react'
import { type ReactNode, useId } from 'react'
import { useOptionKeys } from '@/app/_lib/use-option-keys'
import styles from './picker.module.css'
import { FormControl, TextInput } from './primer'

interface PickerProps<T> {
  label: string
  placeholder: string
  caption?: ReactNode
  error?: string | undefined
  text: string
  onText: (text: string) => void
  options: readonly T[]
  /** Said politely below the field, such as how many were found. */
  status: string
  show: (option: T) => ReactNode
  onPick: (option: T) => void
}

/** A text field with a list of what the text can mean. */
export function Picker<T extends { id: number }>(props: PickerProps<T>): ReactNode {
  const { label, placeholder, caption, error, text, onText, options, status, show, onPick } = props
  const listId = useId()
  const { isOpen, active, setOpen, startOver, onKeyDown } = useOptionKeys(options, onPick)

  return (
    <div className={styles.picker}>
      <FormControl>
        <FormControl.Label>{label}</FormControl.Label>
        <TextInput
          block
          role="combobox"
          aria-autocomplete="list"
          aria-expanded={isOpen}
          aria-controls={isOpen ? listId : undefined}
          aria-activedescendant={isOpen ? `${listId}-${active}` : undefined}
          leadingVisual={SearchIcon}
          placeholder={placeholder}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          value={text}
          onKeyDown={onKeyDown}
          onBlur={() => setOpen(false)}
          onChange={event => {
            onText(event.target.value)
            startOver()
          }}
        />
        {error ? <FormControl.Validation variant="error">{error}</FormControl.Validation> : null}
        {caption ? <FormControl.Caption>{caption}</FormControl.Caption> : null}
      </FormControl>
      {isOpen ? (
        <div id={listId} role="listbox" aria-label={label} className={styles.options}>
          {options.map((option, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: Enter in the field picks
            <div
              key={option.id}
              id={`${listId}-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === active}
              className={styles.option}
              onMouseDown={event => event.preventDefault()}
              onClick={() => onPick(option)}
            >
              {show(option)}
            </div>
          ))}
        </div>
      ) : null}
      <p role="status" className={options.length === 0 ? styles.none : styles.hidden}>
        {status}
      </p>
    </div>
  )
}

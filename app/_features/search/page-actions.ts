import type { Command } from './commands'

const actions = 'main [data-component="Button"]:is(button, a)'
/**
 * Selector of elements whose buttons and links do not count as actions of the page, such as rows, open forms,
 * and dialogs.
 */
const notOfThePage = 'li, tr, form, nav, dialog, [role=dialog], [role=menu], [role=alert]'
const parts = 'main nav:not([aria-label=Breadcrumbs]) li a[href]'

/**
 * Returns the current page's actions and sections as commands. Each one clicks the button or link it was read
 * from.
 */
export function pageActions(): Command[] {
  const buttons = all(actions).filter(
    element =>
      !element.closest(notOfThePage) && !element.matches(':disabled, [aria-disabled=true], [data-inactive]'),
  )
  const links = all(parts).filter(element => !element.hasAttribute('aria-current'))
  return unique([
    ...buttons.map(element => commandOf(element, textOf(element))),
    ...links.map(element => commandOf(element, `Go to ${textOf(element)}`)),
  ])
}

const all = (selector: string): HTMLElement[] =>
  [...document.querySelectorAll<HTMLElement>(selector)].filter(element => element.checkVisibility())

/** Returns the accessible name of an element, without a tab's count and without a trailing "…". */
function textOf(element: HTMLElement): string {
  const named = element.querySelector<HTMLElement>('[data-label]')?.dataset.label
  const text = element.ariaLabel ?? named ?? element.textContent
  return text.replace(/\s+/g, ' ').replace(/…$/, '').trim()
}

function commandOf(element: HTMLElement, text: string): Command {
  return {
    kind: 'command',
    text,
    href: `page:${text}`,
    run: () => {
      if (!element.isConnected) return
      // Lets a dialog that opens return the focus here.
      element.focus()
      element.click()
    },
  }
}

function unique(commands: readonly Command[]): Command[] {
  const byText = new Map(commands.map(command => [command.text, command]))
  byText.delete('')
  return [...byText.values()]
}

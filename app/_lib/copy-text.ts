/** Puts a text on the clipboard; the second way serves plain-http sites, where browsers hide the first. */
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

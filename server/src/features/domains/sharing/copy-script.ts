/** Copies the text beside a button. Without a script there are no buttons, and people select the text. */
export const COPY_SCRIPT = `(()=>{for(const button of document.querySelectorAll('button.copy')){
button.hidden=false;
button.addEventListener('click',async()=>{
const code=button.parentElement.querySelector('code');
let done=false;
try{await navigator.clipboard.writeText(code.textContent);done=true}catch{
const range=document.createRange();range.selectNodeContents(code);
const selection=getSelection();selection.removeAllRanges();selection.addRange(range);
done=document.execCommand('copy')}
button.textContent=done?'Copied':'Selected';
setTimeout(()=>{button.textContent='Copy'},2000)})}})()`;

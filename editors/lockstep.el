;;; lockstep.el --- F9 builds the homework at hand  -*- lexical-binding: t -*-
;; SPDX-License-Identifier: Apache-2.0

;; In ~/.emacs:  (load "/path/to/lockstep/editors/lockstep.el")
;; Then, in any file of a Lockstep folder or in a shell buffer there:
;;   F9     saves and builds that folder (make); C-x ` or M-g n goes to the next error
;;   C-F9   runs its program, arguments asked for; messages such as hw02.cu:31: are links, too
;;   S-F9   runs it in gdb (the -debug program); with C-u, in cuda-gdb (-cuda-debug)

;;; Code:
(require 'compile)
(defvar gud-gdb-command-name)
(declare-function gud-gdb "gud")

(defun lockstep-root ()
  "The Lockstep folder that holds the current buffer's folder, or an error."
  (or (locate-dominating-file default-directory "make/homework.mk")
      (user-error "%s is not inside a Lockstep folder" default-directory)))

(defun lockstep-folder ()
  "The folder to build: the nearest one with a Makefile, up to the top."
  (lockstep-root)
  (file-name-as-directory
   (expand-file-name (locate-dominating-file default-directory "Makefile"))))

(defun lockstep-program (suffix)
  "Name of the program of this folder, with SUFFIX, or an error outside a homework."
  (let* ((folder (directory-file-name (lockstep-folder)))
         (name (file-name-nondirectory folder))
         (solution (string-match-p "/solutions/[^/]+\\'" folder)))
    (unless (string-match-p "\\`hw[0-9]+" name)
      (user-error "%s is not a homework's folder" folder))
    (concat "./" name (if solution "-sol" "") suffix)))

(defun lockstep-build ()
  "Save the folder's files and run make where the current buffer's file is."
  (interactive)
  (let* ((root (expand-file-name (lockstep-root)))
         (default-directory (lockstep-folder)))
    (save-some-buffers t (lambda ()
                           (and buffer-file-name
                                (string-prefix-p root (expand-file-name buffer-file-name)))))
    (compile "make")))

(defun lockstep-run (arguments)
  "Run the folder's program with ARGUMENTS in a compilation buffer."
  (interactive "sArguments (blocks warps MiB): ")
  (let ((program (lockstep-program ""))
        (default-directory (lockstep-folder)))
    (compile (concat program " " arguments))))

(defun lockstep-debug (cuda)
  "Debug the folder's program with gdb or, with CUDA (prefix argument), with cuda-gdb."
  (interactive "P")
  (require 'gud)
  (let ((program (lockstep-program (if cuda "-cuda-debug" "-debug")))
        (default-directory (lockstep-folder)))
    (gud-gdb (concat (if cuda "cuda-gdb" "gdb") " --fullname " program))))

(add-to-list 'auto-mode-alist '("\\.cuh?\\'" . c++-mode))
(global-set-key (kbd "<f9>") #'lockstep-build)
(global-set-key (kbd "C-<f9>") #'lockstep-run)
(global-set-key (kbd "S-<f9>") #'lockstep-debug)

(provide 'lockstep)
;;; lockstep.el ends here
